import { type JsonObject, jsonObjectOf, memberOf } from './json-object.ts'
import { tokenInvalid } from './refusals.ts'

export const MAX_TOKEN_BYTES = 8 * 1024

const COMPACT_JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/

// The unused low bits of the last character are zero, else several texts would be one token.
const LAST_OF_ONE_BYTE = 'AQgw'
const LAST_OF_TWO_BYTES = 'AEIMQUYcgkosw048'

/** Members that name or change keys or meaning (security rule 2). */
const FORBIDDEN_MEMBERS = ['jku', 'x5u', 'jwk', 'x5c', 'crit', 'b64', 'zip', 'cty', 'enc'] as const

const TYPES: ReadonlySet<string> = new Set([
  'jwt',
  'at+jwt',
  'application/jwt',
  'application/at+jwt',
])

/** What the header says, once it is known to be a header that we accept. Nothing is verified yet. */
export interface TokenShape {
  readonly alg: string
  readonly kid: string
}

/** Security rules 1 and 2: what can be refused without any key. */
export function requireTokenShape(token: string, algorithms: ReadonlySet<string>): TokenShape {
  requireTokenSize(token)
  const parts = COMPACT_JWS.exec(token)
  if (parts === null) throw tokenInvalid('SHAPE')
  for (let part = 1; part <= 3; part++) {
    if (!isCanonicalBase64url(parts[part] as string)) throw tokenInvalid('SHAPE')
  }
  const header = jsonObjectOf(Buffer.from(parts[1] as string, 'base64url'))
  if (header === undefined) throw tokenInvalid('HEADER')
  return requireHeader(header, algorithms)
}

export function requireTokenSize(token: string): void {
  if (token.length > MAX_TOKEN_BYTES) throw tokenInvalid('TOO_LARGE')
}

function requireHeader(header: JsonObject, algorithms: ReadonlySet<string>): TokenShape {
  for (const name of FORBIDDEN_MEMBERS) {
    if (Object.hasOwn(header, name)) throw tokenInvalid('HEADER_MEMBER')
  }
  const alg = memberOf(header, 'alg')
  if (typeof alg !== 'string' || !algorithms.has(alg)) throw tokenInvalid('ALGORITHM')
  const kid = memberOf(header, 'kid')
  if (typeof kid !== 'string' || kid === '') throw tokenInvalid('KEY_ID')
  if (Object.hasOwn(header, 'typ')) {
    const typ = header['typ']
    if (typeof typ !== 'string' || !TYPES.has(typ.toLowerCase())) throw tokenInvalid('HEADER_TYPE')
  }
  return { alg, kid }
}

function isCanonicalBase64url(part: string): boolean {
  const last = part[part.length - 1] as string
  switch (part.length % 4) {
    case 0:
      return true
    case 2:
      return LAST_OF_ONE_BYTE.includes(last)
    case 3:
      return LAST_OF_TWO_BYTES.includes(last)
    default:
      return false
  }
}
