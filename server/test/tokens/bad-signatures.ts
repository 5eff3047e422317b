import { encoded, newIssuerKey } from '../issuer-keys.ts'
import { type BadToken, invalid, partsOf } from './bad-token.ts'

const RSA_BYTES = 256

/** The form is right, the signature is not. */
export const signatureTokens: readonly BadToken[] = [
  invalid('SIGNATURE', 'one bit of the signature turned', (issuer) => {
    const [header, payload, signature] = partsOf(issuer)
    const bytes = Buffer.from(signature, 'base64url')
    bytes[100] = (bytes[100] as number) ^ 1
    return `${header}.${payload}.${bytes.toString('base64url')}`
  }),
  invalid('SIGNATURE', 'a signature without its last byte', (issuer) => {
    const [header, payload, signature] = partsOf(issuer)
    const bytes = Buffer.from(signature, 'base64url').subarray(0, RSA_BYTES - 1)
    return `${header}.${payload}.${bytes.toString('base64url')}`
  }),
  invalid('SIGNATURE', 'a signature with a zero before', (issuer) => {
    const [header, payload, signature] = partsOf(issuer)
    const bytes = Buffer.concat([Buffer.alloc(1), Buffer.from(signature, 'base64url')])
    return `${header}.${payload}.${bytes.toString('base64url')}`
  }),
  invalid('SIGNATURE', 'a signature of zeros', (issuer) => {
    const [header, payload] = partsOf(issuer)
    return `${header}.${payload}.${encoded(Buffer.alloc(RSA_BYTES))}`
  }),
  invalid('SIGNATURE', 'a signature of one byte', (issuer) => {
    const [header, payload] = partsOf(issuer)
    return `${header}.${payload}.AQ`
  }),
  invalid('SIGNATURE', 'the signature of another token', (issuer) => {
    const [header, payload] = partsOf(issuer)
    return `${header}.${payload}.${partsOf(issuer)[2]}`
  }),
  invalid('SIGNATURE', 'a changed payload under an old signature', (issuer) => {
    const [header, , signature] = partsOf(issuer)
    return `${header}.${encoded(issuer.claims({ sub: 'chief' }))}.${signature}`
  }),
  invalid('SIGNATURE', 'the key of a stranger under our kid', async (issuer) =>
    issuer.rawToken(issuer.header(), issuer.claims(), await newIssuerKey()),
  ),
]
