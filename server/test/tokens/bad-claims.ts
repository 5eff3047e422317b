import type { RefusalReason } from '../../src/access/bearer/refusals.ts'
import type { Members } from '../issuer.ts'
import { TEST_AUDIENCE } from '../issuer.ts'
import { type BadToken, invalid } from './bad-token.ts'

const claims = (reason: RefusalReason, name: string, members: Members): BadToken =>
  invalid(reason, name, (issuer) => issuer.token(members))

const issuerAs = (name: string, spoilt: (issuer: string) => unknown): BadToken =>
  invalid('ISSUER', name, (issuer) => issuer.token({ iss: spoilt(issuer.issuer) }))

const issuers: readonly BadToken[] = [
  claims('ISSUER', 'no iss', { iss: undefined }),
  claims('ISSUER', 'iss null', { iss: null }),
  claims('ISSUER', 'iss of another realm', { iss: 'https://auth.example.org/realms/other' }),
  issuerAs('iss with a slash behind', (issuer) => `${issuer}/`),
  issuerAs('iss with a blank behind', (issuer) => `${issuer} `),
  issuerAs('iss in upper case', (issuer) => issuer.toUpperCase()),
  issuerAs('iss with another spelling of the host', (issuer) =>
    issuer.replace('localhost', '127.0.0.1'),
  ),
  issuerAs('iss that only begins like ours', (issuer) => `${issuer}.example.org`),
  issuerAs('iss in an array', (issuer) => [issuer]),
]

const audiences: readonly BadToken[] = [
  claims('AUDIENCE', 'no aud', { aud: undefined }),
  claims('AUDIENCE', 'aud null', { aud: null }),
  claims('AUDIENCE', 'aud of another API', { aud: 'account' }),
  claims('AUDIENCE', 'an empty aud', { aud: '' }),
  claims('AUDIENCE', 'an empty array as aud', { aud: [] }),
  claims('AUDIENCE', 'an aud array without ours', { aud: ['account', 'tfs-ops'] }),
  claims('AUDIENCE', 'an aud array with a number beside ours', { aud: [TEST_AUDIENCE, 1] }),
  claims('AUDIENCE', 'an aud array with null beside ours', { aud: [TEST_AUDIENCE, null] }),
  claims('AUDIENCE', 'ours in a nested array', { aud: [[TEST_AUDIENCE]] }),
  claims('AUDIENCE', 'ours as a member name', { aud: { [TEST_AUDIENCE]: true } }),
  claims('AUDIENCE', 'an aud that begins like ours', { aud: `${TEST_AUDIENCE}-2` }),
  claims('AUDIENCE', 'an aud in upper case', { aud: TEST_AUDIENCE.toUpperCase() }),
  claims('AUDIENCE', 'several aud in one string', { aud: `account ${TEST_AUDIENCE}` }),
]

const subjects: readonly BadToken[] = [
  claims('SUBJECT_MISSING', 'no sub', { sub: undefined }),
  claims('SUBJECT', 'an empty sub', { sub: '' }),
  claims('SUBJECT', 'a blank sub', { sub: ' \u00a0\u2003' }),
  claims('SUBJECT', 'sub null', { sub: null }),
  claims('SUBJECT', 'sub a number', { sub: 42 }),
  claims('SUBJECT', 'sub true', { sub: true }),
  claims('SUBJECT', 'sub an array', { sub: ['ana'] }),
  claims('SUBJECT', 'sub an object', { sub: {} }),
  claims('SUBJECT', 'a sub of 256 characters', { sub: 'x'.repeat(256) }),
  claims('SUBJECT', 'a sub with U+0000', { sub: 'ana\0' }),
  claims('SUBJECT', 'a sub with a line feed', { sub: 'ana\nbob' }),
  claims('SUBJECT', 'a sub with a lone surrogate', { sub: 'ana\ud800' }),
  claims('USERNAME', 'a user name with U+0000', { preferred_username: 'ana\0' }),
  claims('USERNAME', 'a user name with a lone surrogate', { preferred_username: '\udc00ana' }),
  claims('USERNAME', 'a user name of 256 characters', { preferred_username: 'x'.repeat(256) }),
]

const clients: readonly BadToken[] = [
  claims('CLIENT_MALFORMED', 'azp null', { azp: null }),
  claims('CLIENT_MALFORMED', 'azp a number', { azp: 7 }),
  claims('CLIENT_MALFORMED', 'an empty azp', { azp: '' }),
  claims('CLIENT_MALFORMED', 'azp an array', { azp: ['tfs-ops'] }),
  claims('CLIENT_MALFORMED', 'azp with a line feed', { azp: 'tfs-ops\n' }),
]

const otherTokens: readonly BadToken[] = [
  ...['ID', 'Refresh', 'Offline', 'Logout', 'DPoP', 'bearer', 'BEARER', 'Bearer ', '', 'JWT'].map(
    (typ) => claims('KIND', `claim typ ${JSON.stringify(typ)}`, { typ }),
  ),
  claims('KIND', 'claim typ null', { typ: null }),
  claims('KIND', 'claim typ an array', { typ: ['Bearer'] }),
  claims('KIND', 'an ID token with a nonce', { typ: undefined, nonce: 'n-0S6_WzA2Mj' }),
  claims('KIND', 'an ID token with at_hash', { typ: undefined, at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
  claims('KIND', 'an ID token with c_hash', { typ: undefined, c_hash: 'LDktKdoQak3Pk0cnXxCltA' }),
  claims('KIND', 'an ID token that says Bearer', { nonce: null }),
  claims('KIND', 'an ID token as Keycloak makes it', { typ: 'ID', aud: 'tfs-ops', auth_time: 1 }),
  claims('KIND', 'a logout token', {
    typ: undefined,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  }),
  invalid('ALGORITHM', 'a refresh token as Keycloak makes it', (issuer) =>
    issuer.token({ typ: 'Refresh', aud: issuer.issuer }, { alg: 'HS512' }),
  ),
  claims('BOUND', 'a token bound to a key', {
    cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' },
  }),
]

/** Security rule 3, but for the times. */
export const claimTokens: readonly BadToken[] = [
  ...issuers,
  ...audiences,
  ...subjects,
  ...clients,
  ...otherTokens,
]
