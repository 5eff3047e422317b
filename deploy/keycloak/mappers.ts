export const AUDIENCE = 'tfs-core-api'

export interface ProtocolMapper {
  readonly name: string
  readonly protocol: 'openid-connect'
  readonly protocolMapper: string
  readonly config: Readonly<Record<string, string>>
}

/** Spec 5.4, claim by claim. Only access tokens carry what the API decides by. */
export function contractMappers(): ProtocolMapper[] {
  return [
    mapper('audience', 'oidc-audience-mapper', { 'included.client.audience': AUDIENCE }),
    mapper('permissions', 'oidc-usermodel-realm-role-mapper', {
      'claim.name': 'realm_access.roles',
      'jsonType.label': 'String',
      multivalued: 'true',
    }),
    mapper('preferred_username', 'oidc-usermodel-attribute-mapper', {
      'user.attribute': 'username',
      'claim.name': 'preferred_username',
      'jsonType.label': 'String',
      'id.token.claim': 'true',
      'userinfo.token.claim': 'true',
    }),
    // Keycloak before 26.8 has no `act` claim of its own. A claim of another name, because a mapper
    // that writes into `act` would replace what 26.8 puts there.
    noteMapper('IMPERSONATOR_ID', 'impersonator.id'),
    noteMapper('IMPERSONATOR_USERNAME', 'impersonator.username'),
  ]
}

export function attributeMapper(attribute: string): ProtocolMapper {
  return mapper(attribute, 'oidc-usermodel-attribute-mapper', {
    'user.attribute': attribute,
    'claim.name': attribute,
    'jsonType.label': 'String',
  })
}

export function fixedClaimMapper(claim: string, value: string): ProtocolMapper {
  return mapper(claim, 'oidc-hardcoded-claim-mapper', {
    'claim.name': claim,
    'claim.value': value,
    'jsonType.label': 'String',
  })
}

function noteMapper(note: string, claim: string): ProtocolMapper {
  return mapper(claim, 'oidc-usersessionmodel-note-mapper', {
    'user.session.note': note,
    'claim.name': claim,
    'jsonType.label': 'String',
  })
}

function mapper(
  name: string,
  protocolMapper: string,
  config: Readonly<Record<string, string>>,
): ProtocolMapper {
  return {
    name,
    protocol: 'openid-connect',
    protocolMapper,
    config: {
      'access.token.claim': 'true',
      'id.token.claim': 'false',
      'userinfo.token.claim': 'false',
      'introspection.token.claim': 'true',
      ...config,
    },
  }
}
