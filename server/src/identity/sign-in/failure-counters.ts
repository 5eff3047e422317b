import type { Clock } from '../../base/clock.ts'

const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 300
const DOUBLINGS = 10
const FORGOTTEN_AFTER_SECONDS = 900
const MOST_REMEMBERED = 10_000

/** Failures of one name or one address. */
export interface Counter {
  failures(): number
  secondsBlocked(): number
  /** As many outcomes are open as there are failures left. */
  isFull(): boolean
  waiting(): number
  nextOutcome(): Promise<void>
  begin(): void
  /** Ends what `begin` began; the failures grow or shrink by so many. */
  end(change: number): void
}

export interface Counters {
  of(key: string): Counter
}

export function createCounters(free: number, clock: Clock): Counters {
  const kept = new Map<string, { readonly counter: Counter; at: number }>()
  const now = (): number => clock() / 1000
  return {
    of(key) {
      const known = kept.get(key)
      const isFresh = known !== undefined && now() - known.at < FORGOTTEN_AFTER_SECONDS
      const counter = isFresh ? known.counter : createCounter(free, now)
      // The least recently seen one goes first.
      kept.delete(key)
      kept.set(key, { counter, at: now() })
      if (kept.size > MOST_REMEMBERED) kept.delete(kept.keys().next().value as string)
      return counter
    },
  }
}

function createCounter(free: number, now: () => number): Counter {
  let failures = 0
  let open = 0
  let blockedUntil = 0
  let waiters: (() => void)[] = []
  return {
    failures: () => failures,
    secondsBlocked: () => Math.max(0, Math.ceil(blockedUntil - now())),
    isFull: () => open > 0 && failures + open >= free,
    waiting: () => waiters.length,
    nextOutcome: () => new Promise((resolve) => waiters.push(resolve)),
    begin() {
      open += 1
    },
    end(change) {
      open -= 1
      failures = Math.max(0, failures + change)
      if (change > 0 && failures >= free) blockedUntil = now() + waitAfter(failures - free)
      if (failures < free) blockedUntil = 0
      const woken = waiters
      waiters = []
      for (const wake of woken) wake()
    },
  }
}

function waitAfter(excess: number): number {
  return Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(excess, DOUBLINGS))
}
