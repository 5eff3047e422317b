import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import {
  LONGEST_MEAN_DELAY_MS,
  MOST_WAITING_PER_CONNECTION,
  type Overload,
  type OverloadOptions,
  overloaded,
  overloadOf,
} from './overload.ts'

const IDLE = { size: 10, busy: 0, waiting: 0 }
const WINDOW_MS = 20

let watch: Overload
afterEach(() => watch.stop())

function watching(options: Partial<OverloadOptions>): Overload {
  watch = overloadOf({ pool: () => IDLE, windowMs: WINDOW_MS, ...options })
  return watch
}

async function until(condition: () => boolean, longestMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + longestMs
  while (!condition() && Date.now() < giveUpAt) await sleep(5)
  return condition()
}

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until) {}
}

describe('503 UNAVAILABLE at once instead of a wait for ever', () => {
  test('the answer says when to come again and that nothing was changed', () => {
    watching({})
    expect(overloaded()).toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
      headers: { 'retry-after': '1' },
      members: { retryAfter: 1 },
    })
  })

  test('a loop that is late window after window is overloaded, until it no longer is', async () => {
    let delay = LONGEST_MEAN_DELAY_MS + 1
    const { isOverloaded } = watching({ sample: () => delay })
    expect(isOverloaded()).toBe(false)
    expect(await until(isOverloaded, 5_000)).toBe(true)
    delay = LONGEST_MEAN_DELAY_MS
    expect(await until(() => !isOverloaded(), 5_000)).toBe(true)
  })

  test('one late window alone is a pause, not an overload', async () => {
    const delays = [LONGEST_MEAN_DELAY_MS * 10, 0]
    let samples = 0
    const { isOverloaded } = watching({ sample: () => delays[samples++ % 2] as number })
    let seen = false
    await until(() => {
      seen ||= isOverloaded()
      return samples > 10
    }, 5_000)
    expect(samples).toBeGreaterThan(10)
    expect(seen).toBe(false)
  })

  test('a line before the database is measured by the connections that serve it', () => {
    let pool = { size: 1, busy: 1, waiting: MOST_WAITING_PER_CONNECTION - 1 }
    const { isOverloaded } = watching({ pool: () => pool })
    expect(isOverloaded()).toBe(false)
    pool = { size: 1, busy: 1, waiting: MOST_WAITING_PER_CONNECTION }
    expect(isOverloaded()).toBe(true)
    pool = { ...pool, size: 10 }
    expect(isOverloaded()).toBe(false)
  })

  test('the real loop: long turns one after the other are seen, an idle loop is not', async () => {
    const { isOverloaded } = overloadOf({ pool: () => IDLE })
    await sleep(1_100)
    expect(isOverloaded()).toBe(false)
    for (let turns = 0; turns < 8 && !isOverloaded(); turns++) {
      block(LONGEST_MEAN_DELAY_MS * 1.2)
      await new Promise((nextTurn) => setTimeout(nextTurn, 0))
    }
    expect(isOverloaded()).toBe(true)
    expect(await until(() => !isOverloaded(), 5_000)).toBe(true)
  })
})
