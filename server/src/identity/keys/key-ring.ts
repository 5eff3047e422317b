import type { Clock } from '../../base/clock.ts'
import type { IdentityLog } from '../log.ts'
import {
  openSigningKeys,
  readSigningKeys,
  removeRetiredKeys,
  type SigningKeys,
} from './signing-keys.ts'

const LOOK_EVERY_MS = 3_000

export interface KeyRing {
  keys(): SigningKeys
  /** Reads the directory now. */
  reload(): Promise<void>
  close(): void
}

export interface KeyRingOptions {
  readonly keyDir: string
  readonly clock: Clock
  readonly log: IdentityLog
  readonly onChange: (keys: SigningKeys) => void
}

/** The keys of the directory, followed while the process runs: `rotate-keys` needs no restart. */
export async function openKeyRing(options: KeyRingOptions): Promise<KeyRing> {
  const { keyDir, clock, log, onChange } = options
  const now = (): number => Math.floor(clock() / 1000)
  let keys = await openSigningKeys(keyDir, now())
  onChange(keys)

  async function reload(): Promise<void> {
    await removeRetiredKeys(keyDir, now())
    const found = await readSigningKeys(keyDir, now())
    const [signing] = found
    // No key to sign with: someone is in the middle of something. What works goes on working.
    if (signing === undefined || signing.publishedUntil !== undefined) return
    if (namesOf(found) === namesOf(keys)) return
    keys = found as unknown as SigningKeys
    onChange(keys)
    log.info({ kid: signing.kid, published: keys.length }, 'The signing keys have changed.')
  }

  let reloading: Promise<void> | undefined
  const reloadOnce = (): Promise<void> => {
    reloading ??= reload().finally(() => {
      reloading = undefined
    })
    return reloading
  }
  const timer = setInterval(() => {
    reloadOnce().catch((error: unknown) => {
      log.warn({ err: error }, 'The signing keys could not be read; those in memory stay in force.')
    })
  }, LOOK_EVERY_MS).unref()
  return { keys: () => keys, reload: reloadOnce, close: () => clearInterval(timer) }
}

function namesOf(keys: readonly { readonly kid: string }[]): string {
  return keys.map(({ kid }) => kid).join(' ')
}
