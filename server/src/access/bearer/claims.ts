import { folded } from '../../base/folded.ts'
import type { Caller } from '../caller.ts'
import { actorOf } from './actor.ts'
import { type JsonObject, jsonObjectOf, memberOf } from './json-object.ts'
import { permissionsOf } from './permissions.ts'
import { partnerMalformed, partyMalformed, tokenExpired, tokenInvalid } from './refusals.ts'
import { isBlank, isText } from './text-claim.ts'
import { requireTimes, type TokenTimes } from './token-times.ts'

const SERVICE_ACCOUNT = 'service-account-'
const LONGEST_SUBJECT = 255
const LONGEST_NAME = 255
const LONGEST_LINK = 64

/** Claims of ID tokens (`nonce`, `at_hash`, `c_hash`, `s_hash`) and of logout tokens (`events`). */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'] as const

export interface ClaimRules {
  readonly issuer: string
  /** Stands before `#` in a subject: the issuer, or a fixed name for the embedded provider. */
  readonly realm: string
  readonly audience: string
  readonly clients: ReadonlySet<string> | undefined
  readonly maxTokenLifeSeconds: number
  readonly personClaim: string | undefined
  readonly isKnown: (code: string) => boolean
}

export interface VerifiedToken extends TokenTimes {
  readonly caller: Caller
}

/** Security rules 3 and 4, on a payload whose signature has been verified. */
export function verifiedTokenOf(
  payload: Uint8Array,
  rules: ClaimRules,
  nowSeconds: number,
): VerifiedToken {
  const claims = jsonObjectOf(payload)
  if (claims === undefined) throw tokenInvalid('PAYLOAD')
  if (memberOf(claims, 'iss') !== rules.issuer) throw tokenInvalid('ISSUER')
  requireAccessToken(claims)
  if (!isForAudience(memberOf(claims, 'aud'), rules.audience)) throw tokenInvalid('AUDIENCE')
  const clientId = clientOf(claims, rules.clients)
  const times = requireTimes(claims, rules.maxTokenLifeSeconds)
  if (nowSeconds < times.validFrom) throw tokenInvalid('NOT_YET')
  if (nowSeconds >= times.validUntil) throw tokenExpired()
  return { ...times, caller: callerOf(claims, rules, { clientId, expiresAt: times.expiresAt }) }
}

function requireAccessToken(claims: JsonObject): void {
  if (Object.hasOwn(claims, 'typ') && claims['typ'] !== 'Bearer') throw tokenInvalid('KIND')
  for (const name of FOREIGN_CLAIMS) {
    if (Object.hasOwn(claims, name)) throw tokenInvalid('KIND')
  }
  // RFC 9449 and RFC 8705: a bound token without its proof is a stolen one.
  if (Object.hasOwn(claims, 'cnf')) throw tokenInvalid('BOUND')
}

function isForAudience(aud: unknown, audience: string): boolean {
  if (!Array.isArray(aud)) return aud === audience
  return aud.every((item) => typeof item === 'string') && aud.includes(audience)
}

function clientOf(
  claims: JsonObject,
  clients: ReadonlySet<string> | undefined,
): string | undefined {
  const azp = memberOf(claims, 'azp')
  if (azp !== undefined && !isText(azp, LONGEST_NAME)) throw tokenInvalid('CLIENT_MALFORMED')
  if (clients !== undefined && (azp === undefined || !clients.has(azp))) {
    throw tokenInvalid('CLIENT')
  }
  return azp
}

function callerOf(
  claims: JsonObject,
  rules: ClaimRules,
  known: { readonly clientId: string | undefined; readonly expiresAt: number },
): Caller {
  const sub = subjectOf(claims)
  const username = usernameOf(claims)
  const person = personOf(claims, rules.personClaim)
  const partyId = linkOf(claims, 'partyId', partyMalformed)
  const partnerId = linkOf(claims, 'partnerId', partnerMalformed)
  const sid = memberOf(claims, 'sid')
  const actor = actorOf(claims, rules.realm)
  return Object.freeze({
    subject: `${rules.realm}#${sub}`,
    username: username ?? sub,
    human: username !== undefined && !folded(username).startsWith(SERVICE_ACCOUNT),
    permissions: permissionsOf(claims, rules.isKnown),
    ...(partyId !== undefined && { partyId }),
    ...(partnerId !== undefined && { partnerId }),
    ...(known.clientId !== undefined && { clientId: known.clientId }),
    ...(isText(sid, LONGEST_NAME) && { sessionId: sid }),
    issuer: rules.issuer,
    ...(actor !== undefined && { actor }),
    ...(person !== undefined && { person }),
    mode: 'token',
    expiresAt: known.expiresAt,
  })
}

function subjectOf(claims: JsonObject): string {
  const sub = memberOf(claims, 'sub')
  if (sub === undefined) throw tokenInvalid('SUBJECT_MISSING')
  if (!isText(sub, LONGEST_SUBJECT) || isBlank(sub)) throw tokenInvalid('SUBJECT')
  return sub
}

/** A name that is no text makes no person of the caller, but a broken text is refused. */
function usernameOf(claims: JsonObject): string | undefined {
  const name = memberOf(claims, 'preferred_username')
  if (typeof name !== 'string' || isBlank(name)) return undefined
  if (!isText(name, LONGEST_NAME)) throw tokenInvalid('USERNAME')
  return name
}

/** Read as absent, a malformed person would slip through the four-eyes comparison. */
function personOf(claims: JsonObject, personClaim: string | undefined): string | undefined {
  if (personClaim === undefined || !Object.hasOwn(claims, personClaim)) return undefined
  const value = claims[personClaim]
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  if (!isText(value, LONGEST_NAME) || isBlank(value)) throw tokenInvalid('PERSON')
  return value
}

function linkOf(
  claims: JsonObject,
  name: 'partyId' | 'partnerId',
  malformed: () => Error,
): string | undefined {
  if (!Object.hasOwn(claims, name)) return undefined
  const link = claims[name]
  if (!isText(link, LONGEST_LINK)) throw malformed()
  return link
}
