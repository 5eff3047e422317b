import { type CryptoKey, importJWK, type JWK } from 'jose'
import { isJsonObject, type JsonObject, memberOf } from './json-object.ts'
import { ProviderFault } from './provider-fault.ts'

const SMALLEST_RSA_BITS = 2048

/** Asymmetric algorithms only: whoever can check a token must not be able to make one. */
const KEY_TYPE_OF: ReadonlyMap<string, { readonly kty: string; readonly crv?: string }> = new Map([
  ['RS256', { kty: 'RSA' }],
  ['RS384', { kty: 'RSA' }],
  ['RS512', { kty: 'RSA' }],
  ['PS256', { kty: 'RSA' }],
  ['PS384', { kty: 'RSA' }],
  ['PS512', { kty: 'RSA' }],
  ['ES256', { kty: 'EC', crv: 'P-256' }],
  ['ES384', { kty: 'EC', crv: 'P-384' }],
  ['ES512', { kty: 'EC', crv: 'P-521' }],
  ['Ed25519', { kty: 'OKP', crv: 'Ed25519' }],
  ['EdDSA', { kty: 'OKP', crv: 'Ed25519' }],
])
const PUBLIC_MEMBERS = ['kty', 'crv', 'n', 'e', 'x', 'y'] as const

export interface SigningKey {
  readonly kid: string
  readonly alg: string
  /** Everything that makes the key this key: equal fingerprints are equal keys. */
  readonly fingerprint: string
  readonly key: CryptoKey
}

export type SigningKeys = ReadonlyMap<string, SigningKey>

export interface ReadKeys {
  readonly keys: SigningKeys
  /** Keys that looked like ours and still cannot be used, in words for the log. */
  readonly faults: readonly string[]
}

export function requireAlgorithms(algorithms: readonly string[]): ReadonlySet<string> {
  const unusable = algorithms.filter((alg) => !KEY_TYPE_OF.has(alg))
  if (algorithms.length === 0 || unusable.length > 0) {
    throw new TypeError(`Not an asymmetric signature algorithm: ${unusable.join(', ') || 'none'}.`)
  }
  return new Set(algorithms)
}

/**
 * The keys of a JWKS that may verify our tokens. A key that was there before stays the same object,
 * so that a token verified during a refresh can tell whether its key is still in use.
 */
export async function readSigningKeys(
  document: JsonObject,
  algorithms: ReadonlySet<string>,
  previous: SigningKeys,
): Promise<ReadKeys> {
  const listed = memberOf(document, 'keys')
  if (!Array.isArray(listed)) throw new ProviderFault('GARBAGE', 'The key set has no keys.')
  const faults: string[] = []
  const keys = new Map<string, SigningKey>()
  const usable = listed.flatMap((jwk) => candidatesOf(jwk, algorithms))
  for (const [kid, candidates] of Map.groupBy(usable, (candidate) => candidate.kid)) {
    const key = await onlyKeyOf(candidates, previous.get(kid))
    if (typeof key === 'string') faults.push(key)
    else keys.set(kid, key)
  }
  if (keys.size === 0) {
    throw new ProviderFault('GARBAGE', `The key set has no usable key. ${faults.join('; ')}`.trim())
  }
  return { keys, faults }
}

/** One key per name, or in words why there is none. */
async function onlyKeyOf(
  candidates: readonly Candidate[],
  previous: SigningKey | undefined,
): Promise<SigningKey | string> {
  const first = candidates[0] as Candidate
  const name = JSON.stringify(first.kid)
  if (candidates.some(({ fingerprint }) => fingerprint !== first.fingerprint)) {
    return `${name} names several keys`
  }
  if (candidates.some(({ jwk }) => Object.hasOwn(jwk, 'd'))) {
    return `${name} is a published private key`
  }
  if (previous?.fingerprint === first.fingerprint) return previous
  return importKey(first)
}

interface Candidate {
  readonly kid: string
  readonly alg: string
  readonly fingerprint: string
  readonly jwk: JsonObject
}

/** Security rule 2: `use: sig` or unstated, one `alg` of ours, a `kid`. Others are for others. */
function candidatesOf(jwk: unknown, algorithms: ReadonlySet<string>): Candidate[] {
  if (!isJsonObject(jwk)) return []
  const kid = memberOf(jwk, 'kid')
  if (typeof kid !== 'string' || kid === '') return []
  if (Object.hasOwn(jwk, 'use') && jwk['use'] !== 'sig') return []
  const operations = memberOf(jwk, 'key_ops')
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    return []
  }
  const alg = algorithmOf(jwk, algorithms)
  if (alg === undefined) return []
  return [{ kid, alg, jwk, fingerprint: JSON.stringify([alg, publicPartOf(jwk)]) }]
}

/** Its own `alg`; where it states none, the only one of ours that fits its kind. */
function algorithmOf(jwk: JsonObject, algorithms: ReadonlySet<string>): string | undefined {
  const fitting = [...algorithms].filter((alg) => {
    const type = KEY_TYPE_OF.get(alg)
    return type?.kty === memberOf(jwk, 'kty') && (!type?.crv || type.crv === memberOf(jwk, 'crv'))
  })
  if (!Object.hasOwn(jwk, 'alg')) return fitting.length === 1 ? fitting[0] : undefined
  return fitting.find((alg) => alg === jwk['alg'])
}

async function importKey({ kid, alg, fingerprint, jwk }: Candidate): Promise<SigningKey | string> {
  try {
    const key = (await importJWK(publicPartOf(jwk), alg)) as CryptoKey
    if (isTooShort(key)) return `${JSON.stringify(kid)} is shorter than ${SMALLEST_RSA_BITS} bits`
    return Object.freeze({ kid, alg, fingerprint, key })
  } catch (error) {
    return `${JSON.stringify(kid)} cannot be read: ${String(error)}`
  }
}

function publicPartOf(jwk: JsonObject): JWK {
  const part: Record<string, string> = {}
  for (const name of PUBLIC_MEMBERS) {
    const value = memberOf(jwk, name)
    if (typeof value === 'string') part[name] = value
  }
  return part
}

function isTooShort(key: CryptoKey): boolean {
  const { modulusLength } = key.algorithm as { modulusLength?: number }
  return modulusLength !== undefined && modulusLength < SMALLEST_RSA_BITS
}
