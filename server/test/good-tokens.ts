import type { Members, TestIssuer } from './issuer.ts'
import { TEST_AUDIENCE } from './issuer.ts'

export interface GoodToken {
  readonly name: string
  readonly make: (issuer: TestIssuer) => string
}

const claims = (name: string, members: (now: number) => Members): GoodToken => ({
  name,
  make: (issuer) => issuer.token(members(issuer.now())),
})

const header = (name: string, members: Members): GoodToken => ({
  name,
  make: (issuer) => issuer.token({}, members),
})

/** What the rules allow: refusing one of these is as wrong as accepting a bad token. */
export const goodTokens: readonly GoodToken[] = [
  claims('as Keycloak makes it', () => ({})),
  header('no header typ', { typ: undefined }),
  ...[
    'jwt',
    'JWT',
    'at+jwt',
    'AT+JWT',
    'application/jwt',
    'application/at+jwt',
    'Application/AT+JWT',
  ].map((typ) => header(`header typ ${typ}`, { typ })),
  header('a thumbprint in the header', { x5t: 'abc' }),
  claims('no claim typ', () => ({ typ: undefined })),
  claims('several audiences', () => ({ aud: ['account', TEST_AUDIENCE] })),
  claims('one audience in an array', () => ({ aud: [TEST_AUDIENCE] })),
  claims('no azp while any client is accepted', () => ({ azp: undefined })),
  claims('exp within the skew', (now) => ({ iat: now - 300, exp: now - 5 })),
  claims('iat within the skew', (now) => ({ iat: now + 5, exp: now + 300 })),
  claims('nbf within the skew', (now) => ({ nbf: now + 5 })),
  claims('nbf in the past', (now) => ({ nbf: now - 300 })),
  claims('fractions of seconds', (now) => ({ iat: now - 0.5, exp: now + 299.5 })),
  claims('a life of a whole day', (now) => ({ iat: now, exp: now + 86_400 })),
  claims('a sub of 255 characters', () => ({ sub: 'x'.repeat(255) })),
  claims('a sub in any script', () => ({ sub: 'Ζωή-😀' })),
  claims('no user name', () => ({ preferred_username: undefined })),
  claims('no roles', () => ({ realm_access: undefined })),
  claims('a partyId of 64 characters', () => ({ partyId: 'x'.repeat(64) })),
]

/** Security rule 4: identity without a single permission. */
export const powerlessTokens: readonly GoodToken[] = [
  ...(
    [
      ['no realm_access', undefined],
      ['realm_access null', null],
      ['realm_access an array', ['contract:read']],
      ['realm_access a string', 'contract:read'],
      ['realm_access empty', {}],
      ['roles null', { roles: null }],
      ['roles a string', { roles: 'contract:read' }],
      ['roles an object', { roles: { 0: 'contract:read', length: 1 } }],
      ['roles with members that are no strings', { roles: [1, null, {}, ['contract:read'], true] }],
      ['roles in upper case', { roles: ['CONTRACT:READ'] }],
      ['roles with blanks', { roles: [' contract:read', 'contract:read '] }],
      ['roles in full width', { roles: ['ｃontract:read'] }],
      ['roles with an invisible letter', { roles: ['contract\u200b:read'] }],
      [
        'several codes in one role',
        { roles: ['contract:read contract:approve', 'a,contract:read'] },
      ],
      ['wildcards', { roles: ['*', 'contract:*', 'admin', '**'] }],
      ['names of the prototype', { roles: ['__proto__', 'constructor', 'toString', 'has'] }],
    ] as const
  ).map(([name, value]) => claims(name, () => ({ realm_access: value }))),
  claims('roles elsewhere', () => ({
    realm_access: undefined,
    roles: ['contract:read'],
    scope: 'contract:read',
    permissions: ['contract:read'],
    groups: ['contract:read'],
    resource_access: { [TEST_AUDIENCE]: { roles: ['contract:read'] } },
  })),
  {
    name: 'roles hidden in __proto__',
    make: (issuer) => {
      const hidden = '{"__proto__":{"roles":["contract:read"]}}'
      const payload = JSON.stringify(issuer.claims({ realm_access: '@' })).replace('"@"', hidden)
      return issuer.rawToken(issuer.header(), payload)
    },
  },
]
