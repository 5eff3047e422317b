import { type JsonObject, memberOf } from './json-object.ts'
import { tokenInvalid } from './refusals.ts'

export const CLOCK_SKEW_SECONDS = 10

/** Seconds since the epoch. */
export interface TokenTimes {
  /** The claim `exp`, as the caller learns it. */
  readonly expiresAt: number
  /** The latest of `iat` and `nbf`, less the skew: before it, the token comes from the future. */
  readonly validFrom: number
  /** `exp` and the skew: from then on the token has expired. */
  readonly validUntil: number
}

/** Security rule 3. Whether now lies between the two is asked again at every use. */
export function requireTimes(claims: JsonObject, maxTokenLifeSeconds: number): TokenTimes {
  const exp = memberOf(claims, 'exp')
  const iat = memberOf(claims, 'iat')
  const nbf = Object.hasOwn(claims, 'nbf') ? claims['nbf'] : iat
  if (!isTime(exp) || !isTime(iat) || !isTime(nbf)) throw tokenInvalid('TIMES')
  if (exp <= iat) throw tokenInvalid('TIMES')
  if (exp - iat > maxTokenLifeSeconds) throw tokenInvalid('LIFE')
  return {
    expiresAt: exp,
    validFrom: Math.max(iat, nbf) - CLOCK_SKEW_SECONDS,
    validUntil: exp + CLOCK_SKEW_SECONDS,
  }
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
