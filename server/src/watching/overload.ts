import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Problem } from '../base/errors.ts'
import { storageErrors } from '../storage/errors.ts'
import type { PoolState } from '../storage/tx.ts'

/**
 * A request takes about ten turns of the loop: beyond this mean its answer would take ten seconds, and
 * every further one makes all of them later. A machine that is busy with other work stays below it.
 */
export const LONGEST_MEAN_DELAY_MS = 1_000
/** At some 20 ms for a write the last in line would wait 4 s; lines wait 5 s at most. */
export const MOST_WAITING_PER_CONNECTION = 200
const WINDOW_MS = 1_000
/** One long pause (a collection, a suspended machine) is over when it is noticed. */
const WINDOWS_IN_A_ROW = 2
const RESOLUTION_MS = 10
const RETRY_AFTER_SECONDS = 1
const NANOSECONDS_PER_MS = 1e6

export interface Overload {
  /** Cheap enough to be asked for every request. */
  isOverloaded(): boolean
  stop(): void
}

export interface OverloadOptions {
  readonly pool: () => PoolState
  /** Mean delay of the event loop over the last window; tests give their own. */
  readonly sample?: () => number
  readonly windowMs?: number
}

/** Whether one more request would only make everyone wait: the loop is late or the line is long. */
export function overloadOf(options: OverloadOptions): Overload {
  const { pool, windowMs = WINDOW_MS } = options
  const loop = options.sample === undefined ? loopDelay() : { mean: options.sample, stop() {} }
  let lateWindows = 0
  const timer = setInterval(() => {
    lateWindows = loop.mean() > LONGEST_MEAN_DELAY_MS ? lateWindows + 1 : 0
  }, windowMs)
  timer.unref()
  return {
    isOverloaded() {
      const { size, waiting } = pool()
      return lateWindows >= WINDOWS_IN_A_ROW || waiting >= size * MOST_WAITING_PER_CONNECTION
    },
    stop() {
      clearInterval(timer)
      loop.stop()
    },
  }
}

/** Never reset: the first turn after a reset would count for nothing, and in trouble there are few. */
function loopDelay(): { mean(): number; stop(): void } {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  let turns = 0
  let sum = 0
  let mean = 0
  return {
    mean() {
      const newTurns = histogram.count - turns
      if (newTurns > 0) {
        const newSum = histogram.mean * histogram.count
        mean = (newSum - sum) / newTurns / NANOSECONDS_PER_MS
        turns += newTurns
        sum = newSum
      }
      return mean
    },
    stop() {
      histogram.disable()
    },
  }
}

/** What an overloaded process answers at once instead of queueing. */
export function overloaded(): Problem {
  return storageErrors.UNAVAILABLE(
    'More is asked than can be answered in time. Nothing was changed; try again shortly.',
    { retryAfter: RETRY_AFTER_SECONDS },
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  )
}
