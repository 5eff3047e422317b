import type { Provider } from 'oidc-provider'
import { type Clock, systemClock } from '../base/clock.ts'
import { listen } from '../http/listener.ts'
import type { Db } from '../storage/tx.ts'
import { purgeExpired } from './artifacts/store.ts'
import { formTokens } from './front/form-token.ts'
import { frontOf } from './front/front.ts'
import { introspectionAnswer } from './front/introspection.ts'
import { signInPages } from './front/sign-in.ts'
import { userinfoAnswer } from './front/userinfo.ts'
import { openCookieKeys } from './keys/cookie-keys.ts'
import { openKeyRing } from './keys/key-ring.ts'
import { hasCode } from './keys/secret-file.ts'
import { nowSeconds, SESSION_MAX_SECONDS } from './lifetimes.ts'
import type { IdentityLog } from './log.ts'
import { accountsView } from './provider/accounts-view.ts'
import { isRegisteredOrigin } from './provider/clients.ts'
import { createProvider } from './provider/create-provider.ts'
import { issuerOf } from './realm.ts'
import { createAttempts } from './sign-in/attempts.ts'
import { credentialsChecker, logged } from './sign-in/check-credentials.ts'
import { createDeviceGuesses } from './sign-in/device-guesses.ts'

const LOOPBACK = ['127.0.0.1', '::1']
const STOP_GRACE_MS = 2_000
const PURGE_EVERY_MS = 10 * 60_000

export interface IdentityOptions {
  /** The schema `tfs_identity`, migrated, as the provider's own role. */
  readonly db: Db
  readonly port: number
  /** Signing and cookie keys; made at the first start. */
  readonly keyDir: string
  readonly passwordGrant: boolean
  /** Offers the demo users, and lets console and portal come from any loopback port. */
  readonly demo: boolean
  /** Where the API is reached, e.g. `http://localhost:8080`: console and portal live below. */
  readonly baseUrls: readonly string[]
  readonly log: IdentityLog
  readonly clock?: Clock
}

export interface Identity {
  readonly issuer: string
  readonly port: number
  /** Reads the key directory now instead of within seconds. */
  reloadKeys(): Promise<void>
  close(): Promise<void>
}

/** The embedded identity provider on its own listener, on loopback alone. */
export async function startIdentity(options: IdentityOptions): Promise<Identity> {
  const { db, keyDir, log, demo, clock = systemClock } = options
  const accounts = accountsView(db, demo)
  const check = logged(credentialsChecker(db, createAttempts(clock), demo), log)
  const cookieKeys = await openCookieKeys(keyDir)
  const deviceGuesses = createDeviceGuesses(clock)
  let provider: Provider | undefined
  const providerInForce = (): Provider => provider as Provider
  const keyRing = await openKeyRing({
    ...{ keyDir, clock, log },
    onChange(keys) {
      provider = createProvider({ ...options, accounts, check, cookieKeys, deviceGuesses }, keys)
    },
  })
  const handle = frontOf({
    ...{ port: options.port, provider: providerInForce, log },
    publishedKids: () => new Set(keyRing.keys().map(({ kid }) => kid)),
    isRegisteredOrigin: (origin) => isRegisteredOrigin(origin, options),
    signIn: signInPages({ db, demo, accounts, check, formTokens: formTokens(cookieKeys) }),
    userinfo: userinfoAnswer(accounts, () => keyRing.keys()),
    introspection: introspectionAnswer(accounts, () => keyRing.keys()),
  })
  const listener = await listenOrSay(options.port, handle, keyRing.close)
  const purge = setInterval(() => purgeOld(db, log), PURGE_EVERY_MS).unref()
  return {
    issuer: issuerOf(options.port),
    port: options.port,
    reloadKeys: keyRing.reload,
    async close() {
      clearInterval(purge)
      keyRing.close()
      await listener.close(STOP_GRACE_MS)
    },
  }
}

/**
 * A moving issuer would move identities: a busy port stops the start (platform contract, section
 * 1).
 */
async function listenOrSay(
  port: number,
  handle: Parameters<typeof listen>[2],
  giveUp: () => void,
): ReturnType<typeof listen> {
  try {
    return await listenOnLoopback(port, handle)
  } catch (error) {
    giveUp()
    if (!hasCode(error, 'EADDRINUSE')) throw error
    throw new Error(
      `AUTH_PORT ${port} is in use by another program: stop it, or set AUTH_PORT to a free one.`,
    )
  }
}

/** Machines without IPv6 have one loopback address. */
async function listenOnLoopback(
  port: number,
  handle: Parameters<typeof listen>[2],
): ReturnType<typeof listen> {
  try {
    return await listen(LOOPBACK, port, handle)
  } catch (error) {
    if (!hasCode(error, 'EADDRNOTAVAIL') && !hasCode(error, 'EAFNOSUPPORT')) throw error
    return listen(LOOPBACK.slice(0, 1), port, handle)
  }
}

/** Used codes and tokens are remembered for a session's whole life: their reuse must be noticed. */
function purgeOld(db: Db, log: IdentityLog): void {
  db.write({ rows: 'NONE' }, (tx) => purgeExpired(tx, nowSeconds() - SESSION_MAX_SECONDS)).catch(
    (error: unknown) => log.warn({ err: error }, 'Expired sessions could not be removed.'),
  )
}
