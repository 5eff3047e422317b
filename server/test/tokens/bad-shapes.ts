import { CompactEncrypt, FlattenedSign, GeneralSign } from 'jose'
import type { TestIssuer } from '../issuer.ts'
import { encoded } from '../issuer-keys.ts'
import { type BadToken, invalid, invalidOffHttp, partsOf } from './bad-token.ts'

const LIMIT = 8 * 1024

/** Security rule 1: compact JWS only, nothing before or after, at most 8 KiB. */
export const shapeTokens: readonly BadToken[] = [
  invalidOffHttp('SHAPE', 'nothing', () => ''),
  invalid('SHAPE', 'one word', () => 'token'),
  invalid('SHAPE', 'two parts', (issuer) => partsOf(issuer).slice(0, 2).join('.')),
  invalid('SHAPE', 'an empty signature', (issuer) => `${partsOf(issuer).slice(0, 2).join('.')}.`),
  invalid('SHAPE', 'an empty header', (issuer) => `.${partsOf(issuer).slice(1).join('.')}`),
  invalid('SHAPE', 'an empty payload', (issuer) => `${partsOf(issuer)[0]}..${partsOf(issuer)[2]}`),
  invalid('SHAPE', 'only dots', () => '..'),
  invalid('SHAPE', 'a fourth part', (issuer) => `${issuer.token()}.AAAA`),
  invalid('SHAPE', 'a dot behind', (issuer) => `${issuer.token()}.`),
  invalid('SHAPE', 'a dot before', (issuer) => `.${issuer.token()}`),
  invalid('SHAPE', 'five parts', (issuer) => `${issuer.token()}.AAAA.AAAA`),
  invalidOffHttp('SHAPE', 'a blank before', (issuer) => ` ${issuer.token()}`),
  invalidOffHttp('SHAPE', 'a blank behind', (issuer) => `${issuer.token()} `),
  invalidOffHttp('SHAPE', 'a line feed behind', (issuer) => `${issuer.token()}\n`),
  invalidOffHttp('SHAPE', 'a tab inside', (issuer) => partsOf(issuer).join('.\t')),
  invalidOffHttp('SHAPE', 'a scheme before', (issuer) => `Bearer ${issuer.token()}`),
  invalidOffHttp('SHAPE', 'U+0000 behind', (issuer) => `${issuer.token()}\0`),
  invalidOffHttp('SHAPE', 'a lone surrogate behind', (issuer) => `${issuer.token()}\ud800`),
  invalidOffHttp('SHAPE', 'a full-width letter', (issuer) => `${issuer.token()}ａ`),
  invalid('SHAPE', 'quotes around', (issuer) => `"${issuer.token()}"`),
  invalid('SHAPE', 'a comma and a second token', (issuer) => `${issuer.token()},${issuer.token()}`),
  invalid('SHAPE', 'padding', (issuer) => `${issuer.token()}==`),
  invalid('SHAPE', 'a letter of plain base64', (issuer) => issuer.token().replace(/.$/, '+')),
  invalid('SHAPE', 'a length that base64url cannot have', (issuer) => `${issuer.token()}AAA`),
  invalid('SHAPE', 'unused bits set in the last letter', (issuer) => {
    const token = issuer.token()
    const next: Record<string, string> = { A: 'B', Q: 'R', g: 'h', w: 'x' }
    return token.slice(0, -1) + next[token.at(-1) as string]
  }),
  invalid('SHAPE', 'percent-encoded dots', (issuer) => partsOf(issuer).join('%2E')),
  invalid('TOO_LARGE', '8 KiB and one byte', (issuer) => tokenOfSize(issuer, LIMIT + 1)),
  invalidOffHttp('TOO_LARGE', 'a hundred KiB', (issuer) => tokenOfSize(issuer, 100 * 1024)),
  invalid('SHAPE', 'a JWE', (issuer) =>
    new CompactEncrypt(Buffer.from(JSON.stringify(issuer.claims())))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM', kid: issuer.key().kid })
      .encrypt({ ...issuer.encryptionKey.jwk, use: 'enc' }),
  ),
  invalid('SHAPE', 'flattened JSON serialisation', async (issuer) =>
    JSON.stringify(
      await new FlattenedSign(Buffer.from(JSON.stringify(issuer.claims())))
        .setProtectedHeader({ alg: 'RS256', kid: issuer.key().kid })
        .sign(issuer.key().privateKey),
    ),
  ),
  invalid('SHAPE', 'general JSON serialisation', async (issuer) =>
    JSON.stringify(
      await new GeneralSign(Buffer.from(JSON.stringify(issuer.claims())))
        .addSignature(issuer.key().privateKey)
        .setProtectedHeader({ alg: 'RS256', kid: issuer.key().kid })
        .sign(),
    ),
  ),
  invalid('SHAPE', 'a token in base64url', (issuer) => encoded(issuer.token())),
]

/** Signed well, and still no claims. */
export const payloadTokens: readonly BadToken[] = [
  invalid('PAYLOAD', 'a token inside a token', (issuer) =>
    issuer.rawToken(issuer.header(), issuer.token()),
  ),
  invalid('PAYLOAD', 'a payload that is no JSON', (issuer) =>
    issuer.rawToken(issuer.header(), 'claims'),
  ),
  invalid('PAYLOAD', 'a payload that is an array', (issuer) =>
    issuer.rawToken(issuer.header(), [issuer.claims()]),
  ),
  invalid('PAYLOAD', 'a payload that is a string', (issuer) =>
    issuer.rawToken(issuer.header(), JSON.stringify(JSON.stringify(issuer.claims()))),
  ),
  invalid('PAYLOAD', 'a payload that is null', (issuer) => issuer.rawToken(issuer.header(), null)),
  invalid('PAYLOAD', 'a payload that is a number', (issuer) => issuer.rawToken(issuer.header(), 1)),
  invalid('ISSUER', 'a payload without claims', (issuer) => issuer.rawToken(issuer.header(), {})),
  invalid('PAYLOAD', 'a payload with a byte order mark', (issuer) =>
    issuer.rawToken(issuer.header(), `\ufeff${JSON.stringify(issuer.claims())}`),
  ),
  invalid('PAYLOAD', 'a payload in broken UTF-8', (issuer) =>
    issuer.rawToken(
      issuer.header(),
      Buffer.from(JSON.stringify(issuer.claims({ x: 'é' })), 'latin1'),
    ),
  ),
  invalid('PAYLOAD', 'a payload with something behind', (issuer) =>
    issuer.rawToken(issuer.header(), `${JSON.stringify(issuer.claims())}{}`),
  ),
  invalid('PAYLOAD', 'a payload nested two thousand deep', (issuer) =>
    issuer.rawToken(issuer.header(), '['.repeat(2000) + ']'.repeat(2000)),
  ),
]

function tokenOfSize(issuer: TestIssuer, size: number): string {
  const tokenWith = (padding: number): string =>
    issuer.token({ jti: 'x', padding: 'x'.repeat(padding) })
  let padding = Math.floor(((size - tokenWith(0).length) * 3) / 4) - 3
  while (tokenWith(padding).length < size) padding += 1
  return tokenWith(padding)
}
