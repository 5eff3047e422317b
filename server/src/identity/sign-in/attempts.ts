import { type Clock, systemClock } from '../../base/clock.ts'
import { type Counter, createCounters } from './failure-counters.ts'

/** Platform contract, section 10. */
export const FREE_FAILURES_OF_USER = 5
export const FREE_FAILURES_OF_ADDRESS = 20
const MOST_WAITING = 200
const TRY_AGAIN_SECONDS = 1

export type Attempt =
  | { readonly allowed: false; readonly retryAfterSeconds: number }
  | {
      readonly allowed: true
      succeeded(): void
      failed(): void
      /** Nothing was learned about the password. */
      abandoned(): void
    }

export interface Attempts {
  begin(username: string, address: string): Promise<Attempt>
}

/**
 * Back-off by name and by address, in memory and bounded; a name need not exist to be counted.
 * Attempts whose outcome is not known yet count too, so that many guesses at once are no way
 * around; those beyond the limit wait for the outcome of others instead of being refused.
 */
export function createAttempts(clock: Clock = systemClock): Attempts {
  const users = createCounters(FREE_FAILURES_OF_USER, clock)
  const addresses = createCounters(FREE_FAILURES_OF_ADDRESS, clock)
  return {
    async begin(username, address) {
      for (;;) {
        const both = [users.of(username), addresses.of(address)] as const
        const seconds = Math.max(...both.map((counter) => counter.secondsBlocked()))
        if (seconds > 0) return { allowed: false, retryAfterSeconds: seconds }
        const full = both.find((counter) => counter.isFull())
        if (full === undefined) return begun(...both)
        if (full.waiting() >= MOST_WAITING) {
          return { allowed: false, retryAfterSeconds: TRY_AGAIN_SECONDS }
        }
        await full.nextOutcome()
      }
    },
  }
}

function begun(user: Counter, address: Counter): Attempt {
  user.begin()
  address.begin()
  return {
    allowed: true,
    succeeded() {
      // Only this person's slips are forgiven: one's own account must not buy guesses at others.
      address.end(-user.failures())
      user.end(-user.failures())
    },
    failed() {
      address.end(1)
      user.end(1)
    },
    abandoned() {
      address.end(0)
      user.end(0)
    },
  }
}
