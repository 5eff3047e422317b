import type { Clock } from '../../base/clock.ts'
import { sha256Hex } from '../../base/digest.ts'
import type { Caller } from '../caller.ts'
import { type ClaimRules, verifiedTokenOf } from './claims.ts'
import { createKeySet } from './key-set.ts'
import type { ProviderLog } from './provider-log.ts'
import { type RefusalReason, TokenRefusal, tokenExpired, tokenInvalid } from './refusals.ts'
import { requireSignedPayload } from './signature.ts'
import { requireAlgorithms } from './signing-keys.ts'
import { createTokenCache } from './token-cache.ts'
import { requireTokenShape, requireTokenSize } from './token-shape.ts'

const REFRESH_SECONDS = 300
const ALGORITHMS = ['RS256'] as const

/** One refusal, in words that are fixed: no token, no claim. */
export interface BearerRefusal {
  readonly code: string
  readonly reason: RefusalReason
  readonly detail: string
}

export interface BearerOptions {
  readonly issuer: string
  readonly discoveryUrl?: string | undefined
  /** Plain http for `jwks_uri` off this machine. */
  readonly allowHttp?: boolean | undefined
  readonly audience: string
  /** Accepted `azp`; unset means any. */
  readonly clients?: readonly string[] | undefined
  readonly maxTokenLifeSeconds: number
  readonly personClaim?: string | undefined
  /** Replaces the issuer in subjects: the embedded provider is one realm whatever its port. */
  readonly realm?: string | undefined
  readonly isKnown: (code: string) => boolean
  readonly clock: Clock
  readonly log: ProviderLog
  readonly refreshSeconds?: number | undefined
  readonly algorithms?: readonly string[] | undefined
  readonly fetchTimeoutMs?: number | undefined
  readonly onSecurityEvent?: ((refusal: BearerRefusal) => void) | undefined
}

export interface BearerState {
  /** Keys of the configured issuer are loaded: readiness. */
  readonly isReady: boolean
  readonly isWrongIssuer: boolean
  readonly keyCount: number
  readonly secondsSinceSuccess: number | undefined
  readonly lastError: string | undefined
  readonly cacheSize: number
  readonly hits: number
  readonly misses: number
}

export interface Bearer {
  /** A caller at once where the token was verified before; refuses by a Problem. */
  identify(token: string): Caller | Promise<Caller>
  /** Resolves after the first attempt to fetch the keys, whatever came of it. */
  start(): Promise<void>
  stop(): void
  state(): BearerState
}

export function createBearer(options: BearerOptions): Bearer {
  const { clock } = options
  const algorithms = requireAlgorithms(options.algorithms ?? ALGORITHMS)
  const rules = claimRulesOf(options)
  const cache = createTokenCache()
  const refreshSeconds = options.refreshSeconds ?? REFRESH_SECONDS
  const keySet = createKeySet({ ...options, algorithms, refreshSeconds, onChange: cache.clear })
  const refuse = refuserOf(options)
  let hits = 0
  let misses = 0

  function identify(token: string): Caller | Promise<Caller> {
    try {
      requireTokenSize(token)
      const digest = sha256Hex(token)
      const cached = cache.find(digest)
      if (cached === undefined || keySet.keyOf(cached.kid) === undefined) {
        misses += 1
        return identifyAfresh(token, digest).catch(refuse)
      }
      const now = clock() / 1000
      if (now >= cached.validUntil) {
        cache.forget(digest)
        throw tokenExpired()
      }
      if (now < cached.validFrom) throw tokenInvalid('NOT_YET')
      hits += 1
      return cached.caller
    } catch (error) {
      return refuse(error)
    }
  }

  async function identifyAfresh(token: string, digest: string): Promise<Caller> {
    const { alg, kid } = requireTokenShape(token, algorithms)
    const key = await keySet.requireKey(kid)
    if (key.alg !== alg) throw tokenInvalid('ALGORITHM')
    const payload = await requireSignedPayload(token, key)
    // The key may have been withdrawn while the signature was checked.
    if (keySet.keyOf(kid) !== key) return identifyAfresh(token, digest)
    const verified = verifiedTokenOf(payload, rules, clock() / 1000)
    cache.keep(digest, Object.freeze({ ...verified, kid }))
    return verified.caller
  }

  function state(): BearerState {
    const { isLoaded, keyCount, lastSuccessAt, lastFault } = keySet.state()
    return {
      isReady: isLoaded,
      isWrongIssuer: lastFault?.kind === 'WRONG_ISSUER',
      keyCount,
      secondsSinceSuccess:
        lastSuccessAt === undefined ? undefined : (clock() - lastSuccessAt) / 1000,
      lastError: lastFault?.message,
      cacheSize: cache.size,
      hits,
      misses,
    }
  }

  return { identify, start: keySet.start, stop: keySet.stop, state }
}

function claimRulesOf(options: BearerOptions): ClaimRules {
  return {
    issuer: options.issuer,
    realm: options.realm ?? options.issuer,
    audience: options.audience,
    clients: options.clients && new Set(options.clients),
    maxTokenLifeSeconds: options.maxTokenLifeSeconds,
    personClaim: options.personClaim,
    isKnown: options.isKnown,
  }
}

/** Any failure inside the identity path refuses the request (platform contract, section 2). */
function refuserOf({ log, onSecurityEvent }: BearerOptions): (error: unknown) => never {
  return (error) => {
    const isRefusal = error instanceof TokenRefusal
    if (!isRefusal) log.error({ err: error }, 'A token could not be checked.')
    const refusal = isRefusal ? error : tokenInvalid('UNVERIFIABLE')
    const { code, reason, detail } = refusal
    try {
      onSecurityEvent?.({ code, reason, detail })
    } catch (failure) {
      // What fails while recording must not turn a refusal into a server error.
      log.error({ err: failure }, 'A refused token could not be recorded.')
    }
    throw refusal
  }
}
