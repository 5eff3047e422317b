import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { RefusalReason } from '../../src/access/bearer/refusals.ts'
import type { Members, TestIssuer } from '../issuer.ts'
import { encoded, newIssuerKey } from '../issuer-keys.ts'
import { type BadToken, invalid, partsOf } from './bad-token.ts'

const FOREIGN_ALGORITHMS = [
  ...['none', 'None', 'NONE', 'nOnE', 'rs256', 'RS256 ', 'RS384', 'RS512', 'PS256', 'ES256'],
  ...['HS256', 'HS512', 'EdDSA', 'dir', 'RSA-OAEP', '', '__proto__'],
]

const header = (reason: RefusalReason, name: string, members: Members): BadToken =>
  invalid(reason, name, (issuer) => issuer.token({}, members))

const rawHeader = (
  reason: RefusalReason,
  name: string,
  raw: (issuer: TestIssuer) => unknown,
): BadToken => invalid(reason, name, (issuer) => issuer.rawToken(raw(issuer), issuer.claims()))

/** Security rule 2: an algorithm of ours, a key by name, nothing that names or changes keys. */
export const headerTokens: readonly BadToken[] = [
  ...FOREIGN_ALGORITHMS.map((alg) => header('ALGORITHM', `alg ${JSON.stringify(alg)}`, { alg })),
  header('ALGORITHM', 'no alg', { alg: undefined }),
  header('ALGORITHM', 'alg null', { alg: null }),
  header('ALGORITHM', 'alg a number', { alg: 256 }),
  header('ALGORITHM', 'alg an array', { alg: ['RS256'] }),
  header('ALGORITHM', 'alg none and a kid nobody published', { alg: 'none', kid: 'nobody' }),
  invalid('SHAPE', 'alg none without a signature', (issuer) => {
    return `${encoded(issuer.header({ alg: 'none' }))}.${encoded(issuer.claims())}.`
  }),
  invalid('ALGORITHM', 'HS256 with the public key as the secret', (issuer) =>
    hmacToken(issuer, 'pem'),
  ),
  invalid('ALGORITHM', 'HS256 with the published modulus as the secret', (issuer) =>
    hmacToken(issuer, 'n'),
  ),
  invalid('ALGORITHM', 'RS512 by our key, truly', (issuer) => {
    const input = `${encoded(issuer.header({ alg: 'RS512' }))}.${encoded(issuer.claims())}`
    const signature = sign('sha512', Buffer.from(input), issuer.key().privateKey)
    return `${input}.${signature.toString('base64url')}`
  }),
  invalid('ALGORITHM', 'ES256 by a key of the stranger', (issuer) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const input = `${encoded(issuer.header({ alg: 'ES256' }))}.${encoded(issuer.claims())}`
    const options = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
    return `${input}.${sign('sha256', Buffer.from(input), options).toString('base64url')}`
  }),
  header('KEY_ID', 'no kid', { kid: undefined }),
  header('KEY_ID', 'an empty kid', { kid: '' }),
  header('KEY_ID', 'kid null', { kid: null }),
  header('KEY_ID', 'kid a number', { kid: 1 }),
  header('KEY_ID', 'kid an array', { kid: ['a'] }),
  header('KEY_ID', 'kid an object', { kid: {} }),
  header('KEY_UNKNOWN', 'a kid nobody published', { kid: 'nobody' }),
  header('KEY_UNKNOWN', 'a kid that is a path', { kid: '../../../../dev/null' }),
  header('KEY_UNKNOWN', 'a kid that is SQL', { kid: "' or '1'='1" }),
  header('KEY_UNKNOWN', 'kid __proto__', { kid: '__proto__' }),
  header('KEY_UNKNOWN', 'kid constructor', { kid: 'constructor' }),
  invalid('KEY_UNKNOWN', 'a kid in upper case', (issuer) =>
    issuer.token({}, { kid: issuer.key().kid.toUpperCase() }),
  ),
  invalid('KEY_UNKNOWN', 'the kid of the encryption key', (issuer) =>
    issuer.token({}, { kid: issuer.encryptionKey.kid }),
  ),
  invalid('KEY_UNKNOWN', 'signed by the encryption key', (issuer) =>
    issuer.rawToken(
      issuer.header({ kid: issuer.encryptionKey.kid }),
      issuer.claims(),
      issuer.encryptionKey,
    ),
  ),
  ...[
    'JWE',
    'JOSE',
    'logout+jwt',
    'dpop+jwt',
    'id+jwt',
    'secevent+jwt',
    'text/at+jwt',
    '',
    ' JWT',
  ].map((typ) => header('HEADER_TYPE', `header typ ${JSON.stringify(typ)}`, { typ })),
  header('HEADER_TYPE', 'header typ null', { typ: null }),
  header('HEADER_TYPE', 'header typ a number', { typ: 1 }),
  header('HEADER_TYPE', 'header typ an array', { typ: ['JWT'] }),
  invalid('HEADER_MEMBER', 'jku of our own provider', (issuer) =>
    issuer.token({}, { jku: `${issuer.issuer}/protocol/openid-connect/certs` }),
  ),
  header('HEADER_MEMBER', 'jku elsewhere', { jku: 'https://keys.invalid/certs' }),
  header('HEADER_MEMBER', 'jku null', { jku: null }),
  header('HEADER_MEMBER', 'x5u', { x5u: 'https://keys.invalid/cert.pem' }),
  header('HEADER_MEMBER', 'x5c', { x5c: ['MIIB'] }),
  invalid('HEADER_MEMBER', 'jwk of our own key', (issuer) =>
    issuer.token({}, { jwk: issuer.key().jwk }),
  ),
  invalid('HEADER_MEMBER', 'jwk of the stranger who signs', async (issuer) => {
    const own = await newIssuerKey()
    return issuer.rawToken(issuer.header({ kid: own.kid, jwk: own.jwk }), issuer.claims(), own)
  }),
  header('HEADER_MEMBER', 'crit of a known claim', { crit: ['exp'], exp: 1 }),
  header('HEADER_MEMBER', 'an empty crit', { crit: [] }),
  header('HEADER_MEMBER', 'crit that is no array', { crit: 'b64' }),
  header('HEADER_MEMBER', 'b64 true', { b64: true }),
  header('HEADER_MEMBER', 'b64 false with crit', { b64: false, crit: ['b64'] }),
  header('HEADER_MEMBER', 'zip', { zip: 'DEF' }),
  header('HEADER_MEMBER', 'cty', { cty: 'JWT' }),
  header('HEADER_MEMBER', 'enc', { enc: 'A256GCM' }),
  rawHeader('HEADER', 'a header that is no JSON', () => 'header'),
  rawHeader('HEADER', 'a header that is an array', (issuer) => [issuer.header()]),
  rawHeader('HEADER', 'a header that is null', () => null),
  rawHeader('HEADER', 'a header that is a string', () => '"RS256"'),
  rawHeader('HEADER', 'a header with a byte order mark', (issuer) => `\ufeff${json(issuer)}`),
  rawHeader('HEADER', 'a header in broken UTF-8', (issuer) =>
    Buffer.from(JSON.stringify(issuer.header({ x: 'é' })), 'latin1'),
  ),
  rawHeader('ALGORITHM', 'a header that states alg twice', (issuer) =>
    json(issuer).replace('}', ',"alg":"none"}'),
  ),
  rawHeader(
    'ALGORITHM',
    'a header whose members hide in __proto__',
    (issuer) => `{"__proto__":${json(issuer)}}`,
  ),
  invalid('SIGNATURE', 'the header of another token', (issuer) => {
    const [, payload, signature] = partsOf(issuer)
    return `${encoded(issuer.header({ typ: 'at+jwt' }))}.${payload}.${signature}`
  }),
]

function json(issuer: TestIssuer): string {
  return JSON.stringify(issuer.header())
}

function hmacToken(issuer: TestIssuer, secret: 'pem' | 'n'): string {
  const { privateKey, jwk } = issuer.key()
  const pem = createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    .export({ type: 'spki', format: 'pem' })
    .toString()
  const input = `${encoded(issuer.header({ alg: 'HS256' }))}.${encoded(issuer.claims())}`
  const key = secret === 'pem' ? pem : (jwk.n as string)
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}
