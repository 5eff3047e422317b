import { folded } from '../../base/folded.ts'
import type { Db } from '../../storage/tx.ts'
import { type Account, isUsable } from '../accounts/account.ts'
import { isPassword, nobodysHash } from '../accounts/password-hash.ts'
import { accountByName } from '../accounts/store.ts'
import type { IdentityLog } from '../log.ts'
import { whileStoreAnswers } from '../provider/unavailable.ts'
import type { Attempts } from './attempts.ts'

const NO_ROWS = { rows: 'NONE' } as const
export const LONGEST_USERNAME = 255
export const LONGEST_PASSWORD = 1_024

export interface Credentials {
  readonly username: string
  readonly password: string
  /** Where the request came from. */
  readonly address: string
}

export type SignIn =
  | { readonly outcome: 'ACCEPTED'; readonly account: Account }
  | { readonly outcome: 'WRONG' }
  /** The password was right: only its owner learns that the account is disabled. */
  | { readonly outcome: 'DISABLED' }
  | { readonly outcome: 'TOO_MANY'; readonly retryAfterSeconds: number }

/** The name stays out of the log: people type passwords into the wrong field. */
export function logged(check: CheckCredentials, log: IdentityLog): CheckCredentials {
  return async (credentials) => {
    const result = await check(credentials)
    if (result.outcome !== 'ACCEPTED') {
      log.info({ outcome: result.outcome, from: credentials.address }, 'A sign-in was refused.')
    }
    return result
  }
}

export type CheckCredentials = (credentials: Credentials) => Promise<SignIn>

/** The same steps and the same cost whether the name exists or not. */
export function credentialsChecker(db: Db, attempts: Attempts, demo: boolean): CheckCredentials {
  return async ({ username, password, address }) => {
    if (username.length > LONGEST_USERNAME || password.length > LONGEST_PASSWORD) {
      return { outcome: 'WRONG' }
    }
    const attempt = await attempts.begin(folded(username), address)
    if (!attempt.allowed) {
      return { outcome: 'TOO_MANY', retryAfterSeconds: attempt.retryAfterSeconds }
    }
    try {
      const found = await whileStoreAnswers(() =>
        db.read(NO_ROWS, (read) => accountByName(read, username)),
      )
      const isRight = await isPassword(password, found?.passwordHash ?? (await nobodysHash))
      if (found === undefined || !isRight) {
        attempt.failed()
        return { outcome: 'WRONG' }
      }
      attempt.succeeded()
      if (!isUsable(found, demo)) return { outcome: 'DISABLED' }
      const { passwordHash: _hash, ...account } = found
      return { outcome: 'ACCEPTED', account }
    } catch (error) {
      // Nothing was learned about the password: a database that is away must not lock anyone out.
      attempt.abandoned()
      throw error
    }
  }
}
