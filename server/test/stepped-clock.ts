import type { Clock } from '../src/base/clock.ts'

/** A clock that stands until it is stepped. */
export interface SteppedClock {
  readonly clock: Clock
  step(seconds: number): void
}

export function steppedClock(startMs: number = Date.parse('2026-03-02T09:00:00Z')): SteppedClock {
  let now = startMs
  return {
    clock: () => now,
    step(seconds) {
      now += seconds * 1000
    },
  }
}
