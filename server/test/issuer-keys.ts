import { KeyObject, randomUUID, sign } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

/** A key pair of the test issuer, with its public half as the issuer publishes it. */
export interface IssuerKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly jwk: JWK
}

export async function newIssuerKey(members: JWK = {}): Promise<IssuerKey> {
  const kid = members.kid ?? randomUUID()
  const pair = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig', ...members }
  return { kid, privateKey: KeyObject.from(pair.privateKey), jwk }
}

/** Signs what jose would refuse to sign: any text may stand for header and payload. */
export function signedWith(key: IssuerKey, header: unknown, payload: unknown): string {
  const input = `${encoded(header)}.${encoded(payload)}`
  return `${input}.${sign('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`
}

/** Text and bytes as they are, everything else as JSON. */
export function encoded(part: unknown): string {
  const isRaw = typeof part === 'string' || part instanceof Uint8Array
  return Buffer.from(isRaw ? part : JSON.stringify(part)).toString('base64url')
}
