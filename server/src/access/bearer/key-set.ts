import { createDemandWindow } from './demand-window.ts'
import { createKeyFetch, type KeyFetchOptions } from './key-fetch.ts'
import { createKeyRing, type KeyRingOptions, type KeyRingState } from './key-ring.ts'
import { providerFaultOf } from './provider-fault.ts'
import { refreshDelaySeconds } from './refresh-delay.ts'
import { providerUnavailable, tokenInvalid } from './refusals.ts'
import type { SigningKey } from './signing-keys.ts'

export interface KeySetOptions extends KeyFetchOptions, KeyRingOptions {
  readonly refreshSeconds: number
}

export interface KeySet {
  /** The key now in use under this name. Never waits. */
  keyOf(kid: string): SigningKey | undefined
  /** The key, fetched if need be; refuses with 401 or 503 (security rules 7 and 8). */
  requireKey(kid: string): Promise<SigningKey>
  /** Fetches now, outside the window of unknown keys. Never rejects. */
  refresh(): Promise<void>
  /** The first fetch, then background refresh until stopped. Never rejects. */
  start(): Promise<void>
  stop(): void
  state(): KeyRingState
}

export function createKeySet(options: KeySetOptions): KeySet {
  const ring = createKeyRing(options)
  const keyFetch = createKeyFetch(options)
  const window = createDemandWindow(options.clock)
  let flight: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** Single flight: whoever needs keys while a fetch runs waits for that one. */
  function refresh(): Promise<void> {
    flight ??= keyFetch
      .fetch(ring.keys())
      .then(ring.take)
      .catch((error: unknown) => ring.note(providerFaultOf(error)))
      .finally(() => {
        flight = undefined
      })
    return flight
  }

  /**
   * At most two fetches are awaited: one under way, which may have begun before the key was
   * published, and one of our own where the window allows it.
   */
  async function requireKey(kid: string): Promise<SigningKey> {
    const known = ring.keyOf(kid)
    if (known !== undefined) return known
    for (let attempt = 1; attempt <= 2 && !isStopped; attempt++) {
      const joins = flight !== undefined
      if (!joins && window.leftMs() > 0) break
      if (!joins) window.begin()
      await refresh()
      const key = ring.keyOf(kid)
      if (key !== undefined) return key
      if (!joins || ring.state().lastFault !== undefined) break
    }
    throw refusalOfUnknownKey(ring.state(), window.leftMs() / 1000)
  }

  function schedule(): void {
    if (isStopped) return
    const delay = refreshDelaySeconds(options.refreshSeconds, ring.state().faultsInARow)
    clearTimeout(timer)
    timer = setTimeout(() => void refresh().then(schedule), delay * 1000)
    timer.unref()
  }

  return {
    keyOf: ring.keyOf,
    requireKey,
    refresh,
    start: () => refresh().then(schedule),
    stop() {
      isStopped = true
      clearTimeout(timer)
      keyFetch.abort()
    },
    state: ring.state,
  }
}

/** 401 when the keys are known and this is none of them, 503 when they could not be had. */
function refusalOfUnknownKey(state: KeyRingState, retryAfterSeconds: number): Error {
  if (state.isLoaded && state.lastFault === undefined) return tokenInvalid('KEY_UNKNOWN')
  const isWrong = state.lastFault?.kind === 'WRONG_ISSUER'
  return providerUnavailable(isWrong ? 'WRONG_ISSUER' : 'PROVIDER_AWAY', retryAfterSeconds)
}
