import { expect, test } from 'vitest'
import { refreshDelaySeconds } from './refresh-delay.ts'

const draws = [0, 0.5, 0.999999]

test('the keys are read again within the interval, whatever the jitter', () => {
  for (const draw of draws) {
    const delay = refreshDelaySeconds(300, 0, () => draw)
    expect(delay).toBeGreaterThanOrEqual(225)
    expect(delay).toBeLessThan(300)
  }
  expect(refreshDelaySeconds(300, 0, () => 0)).not.toBe(refreshDelaySeconds(300, 0, () => 0.5))
})

test('after failures soon, then later, never later than half a minute or the interval', () => {
  const delays = [1, 2, 3, 4, 10, 1000].map((faults) => refreshDelaySeconds(300, faults, () => 0.5))
  expect(delays[0]).toBeLessThanOrEqual(1)
  expect(delays).toEqual([...delays].sort((a, b) => a - b))
  expect(delays.at(-1)).toBeLessThanOrEqual(30)
  expect(refreshDelaySeconds(5, 1000, () => 0.5)).toBeLessThanOrEqual(5)
})
