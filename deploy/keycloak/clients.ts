import { DEMO_PARTNER_CLIENT } from './demo-users.ts'
import {
  AUDIENCE,
  attributeMapper,
  contractMappers,
  fixedClaimMapper,
  type ProtocolMapper,
} from './mappers.ts'
import { placeholder } from './placeholder.ts'
import type { RealmKind } from './realm-settings.ts'

export interface Client {
  readonly clientId: string
  readonly name: string
  readonly [member: string]: unknown
}

const CALLBACK_PATH = '/callback'

/** Registered without a port, a loopback redirect URI fits any port (RFC 8252, section 7.3). */
const loopback = (path: string): string[] => [`http://localhost${path}`, `http://127.0.0.1${path}`]

/** Keycloak's own: `basic` brings `sub` and `auth_time`; `roles` would add `account` to `aud`. */
const DEFAULT_SCOPES = ['basic', 'acr']
const OPTIONAL_SCOPES = ['profile', 'email']

export function clientsOf(kind: RealmKind): Client[] {
  const clients = [
    consoleClient(kind),
    portalClient(kind),
    publicClient({
      clientId: 'tfs-cli',
      name: 'TFS command line',
      redirectUris: loopback(CALLBACK_PATH),
      deviceFlow: true,
    }),
    { clientId: AUDIENCE, name: 'TFS API', bearerOnly: true, fullScopeAllowed: false },
  ]
  return [...clients, kind === 'demo' ? partnerClient() : CLOSED_BACK_DOOR]
}

/** Keycloak gives every realm this client with the password grant switched on. */
const CLOSED_BACK_DOOR: Client = {
  clientId: 'admin-cli',
  name: placeholder('client_admin-cli'),
  enabled: false,
  publicClient: true,
  standardFlowEnabled: false,
  directAccessGrantsEnabled: false,
  fullScopeAllowed: false,
}

/** Every client whose tokens the API takes: the codes come into a token only through these. */
export function tokenClientIdsOf(kind: RealmKind): string[] {
  return clientsOf(kind)
    .filter((client) => client['protocolMappers'] !== undefined)
    .map((client) => client.clientId)
}

function consoleClient(kind: RealmKind): Client {
  return publicClient({
    clientId: 'tfs-ops',
    name: 'TFS operations console',
    ...browserAddresses(kind, placeholder('TFS_CONSOLE_ORIGIN'), '/console/'),
    // Spec 5.3: for scripts and integration tests. RFC 9700, 2.4 forbids it elsewhere.
    passwordGrant: kind === 'demo',
  })
}

function portalClient(kind: RealmKind): Client {
  return publicClient({
    clientId: 'tfs-portal',
    name: 'TFS customer portal',
    ...browserAddresses(kind, placeholder('TFS_PORTAL_ORIGIN'), '/portal/'),
  })
}

function browserAddresses(kind: RealmKind, origin: string, path: string) {
  return kind === 'demo'
    ? { redirectUris: loopback(path), webOrigins: ['*'] } // "+" would not know the port
    : { redirectUris: [`${origin}${path}`], webOrigins: [origin] }
}

interface PublicClient {
  readonly clientId: string
  readonly name: string
  readonly redirectUris: string[]
  readonly webOrigins?: string[]
  readonly passwordGrant?: boolean
  readonly deviceFlow?: boolean
}

function publicClient(of: PublicClient): Client {
  return {
    ...tokenClient(of.clientId, of.name, [
      ...contractMappers(),
      attributeMapper('partyId'),
      attributeMapper('partnerId'),
    ]),
    publicClient: true,
    standardFlowEnabled: true,
    directAccessGrantsEnabled: of.passwordGrant ?? false,
    serviceAccountsEnabled: false,
    redirectUris: of.redirectUris,
    webOrigins: of.webOrigins ?? [],
    attributes: {
      'pkce.code.challenge.method': 'S256',
      'post.logout.redirect.uris': '+',
      'oauth2.device.authorization.grant.enabled': String(of.deviceFlow ?? false),
    },
  }
}

/** One per partner's system: it prepares, never decides; a fixed claim ties it to its partner. */
function partnerClient(): Client {
  const { clientId, secret, partnerId } = DEMO_PARTNER_CLIENT
  return {
    ...tokenClient(clientId, 'A partner’s own system (example)', [
      ...contractMappers(),
      fixedClaimMapper('partnerId', partnerId),
    ]),
    publicClient: false,
    secret,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
    serviceAccountsEnabled: true,
    redirectUris: [],
    webOrigins: [],
  }
}

function tokenClient(clientId: string, name: string, protocolMappers: ProtocolMapper[]): Client {
  return {
    clientId,
    name,
    protocol: 'openid-connect',
    enabled: true,
    implicitFlowEnabled: false,
    consentRequired: false,
    // With the full scope a token would also show Keycloak's own roles.
    fullScopeAllowed: false,
    defaultClientScopes: DEFAULT_SCOPES,
    optionalClientScopes: OPTIONAL_SCOPES,
    protocolMappers,
  }
}
