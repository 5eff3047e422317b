import type { Clock } from '../../base/clock.ts'
import type { ProviderFault } from './provider-fault.ts'
import type { ProviderLog } from './provider-log.ts'
import type { ReadKeys, SigningKey, SigningKeys } from './signing-keys.ts'

const LAST_GOOD_SET_MS = 24 * 60 * 60 * 1000
const NO_KEYS: SigningKeys = new Map()

export interface KeyRingState {
  /** There are keys and they are fresh enough to trust. */
  readonly isLoaded: boolean
  readonly keyCount: number
  readonly lastSuccessAt: number | undefined
  /** Of the last fetch; undefined when it succeeded. */
  readonly lastFault: ProviderFault | undefined
  readonly faultsInARow: number
}

/** The last good set of keys and what became of the fetches since. */
export interface KeyRing {
  keys(): SigningKeys
  keyOf(kid: string): SigningKey | undefined
  take(read: ReadKeys): void
  note(fault: ProviderFault): void
  state(): KeyRingState
}

export interface KeyRingOptions {
  readonly clock: Clock
  readonly log: ProviderLog
  /** Called whenever a key came or went. */
  readonly onChange: () => void
}

export function createKeyRing({ clock, log, onChange }: KeyRingOptions): KeyRing {
  let keys = NO_KEYS
  let lastSuccessAt: number | undefined
  let lastFault: ProviderFault | undefined
  let faultsInARow = 0

  const isFresh = (): boolean =>
    lastSuccessAt !== undefined && clock() - lastSuccessAt <= LAST_GOOD_SET_MS

  function replace(next: SigningKeys): void {
    keys = next
    onChange()
  }

  function take(read: ReadKeys): void {
    if (lastFault !== undefined) log.info({}, 'The identity provider answers again.')
    lastSuccessAt = clock()
    lastFault = undefined
    faultsInARow = 0
    if (isSameSet(keys, read.keys)) return
    replace(read.keys)
    log.info({ kids: [...keys.keys()] }, 'The signing keys of the identity provider are loaded.')
    if (read.faults.length > 0) {
      log.warn({ faults: read.faults }, 'Some keys of the identity provider are unusable.')
    }
  }

  function note(fault: ProviderFault): void {
    const isNews = lastFault?.message !== fault.message
    lastFault = fault
    faultsInARow += 1
    if (fault.kind === 'WRONG_ISSUER') {
      // Platform contract, section 1: then tokens are refused, those of the last good set too.
      if (keys.size > 0) replace(NO_KEYS)
      if (isNews) log.error({ fault: fault.message }, 'OIDC_ISSUER and discovery do not agree.')
    } else if (isNews) {
      log.warn({ fault: fault.message }, 'The signing keys cannot be fetched; trying again.')
    }
  }

  return {
    keys: () => keys,
    keyOf: (kid) => (isFresh() ? keys.get(kid) : undefined),
    take,
    note,
    state: () => ({
      isLoaded: keys.size > 0 && isFresh(),
      keyCount: keys.size,
      lastSuccessAt,
      lastFault,
      faultsInARow,
    }),
  }
}

function isSameSet(left: SigningKeys, right: SigningKeys): boolean {
  if (left.size !== right.size) return false
  for (const [kid, key] of right) if (left.get(kid) !== key) return false
  return true
}
