import { type Clock, systemClock } from '../../base/clock.ts'

/** Platform contract, section 10. */
export const FREE_FAILURES_OF_USER = 5
export const FREE_FAILURES_OF_ADDRESS = 20

const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 300
const FORGOTTEN_AFTER_SECONDS = 900
const MOST_REMEMBERED = 10_000

export type Attempt =
  | { readonly allowed: false; readonly retryAfterSeconds: number }
  | { readonly allowed: true; succeeded(): void; abandoned(): void }

export interface Attempts {
  /** Counts as failed until told otherwise: many guesses at once count before any of them is checked. */
  begin(username: string, address: string): Attempt
}

interface Counter {
  failures: number
  blockedUntil: number
  lastAt: number
}

/** Back-off by name and by address, in memory and bounded; a name need not exist to be counted. */
export function createAttempts(clock: Clock = systemClock): Attempts {
  const users = createCounters(FREE_FAILURES_OF_USER, clock)
  const addresses = createCounters(FREE_FAILURES_OF_ADDRESS, clock)
  return {
    begin(username, address) {
      const wait = Math.max(users.secondsBlocked(username), addresses.secondsBlocked(address))
      if (wait > 0) return { allowed: false, retryAfterSeconds: wait }
      users.fail(username)
      addresses.fail(address)
      return {
        allowed: true,
        succeeded() {
          // Only this person's slips are forgiven: one's own account must not buy guesses at others.
          addresses.forgive(address, users.failuresOf(username))
          users.forgive(username, Number.POSITIVE_INFINITY)
        },
        abandoned() {
          users.forgive(username, 1)
          addresses.forgive(address, 1)
        },
      }
    },
  }
}

function createCounters(free: number, clock: Clock) {
  const counters = new Map<string, Counter>()
  const now = (): number => clock() / 1000

  function counterOf(key: string): Counter | undefined {
    const counter = counters.get(key)
    if (counter === undefined || now() - counter.lastAt < FORGOTTEN_AFTER_SECONDS) return counter
    counters.delete(key)
    return undefined
  }

  return {
    failuresOf: (key: string): number => counterOf(key)?.failures ?? 0,
    secondsBlocked(key: string): number {
      return Math.max(0, Math.ceil((counterOf(key)?.blockedUntil ?? 0) - now()))
    },
    fail(key: string): void {
      const failures = (counterOf(key)?.failures ?? 0) + 1
      const blockedUntil = failures < free ? 0 : now() + waitAfter(failures - free)
      counters.delete(key)
      counters.set(key, { failures, blockedUntil, lastAt: now() })
      if (counters.size > MOST_REMEMBERED) counters.delete(counters.keys().next().value as string)
    },
    forgive(key: string, failures: number): void {
      const counter = counterOf(key)
      if (counter === undefined) return
      counter.failures -= Math.min(failures, counter.failures)
      if (counter.failures < free) counter.blockedUntil = 0
      if (counter.failures === 0) counters.delete(key)
    },
  }
}

function waitAfter(excess: number): number {
  return Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(excess, 10))
}
