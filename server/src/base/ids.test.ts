import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('an id is a prefix and 26 characters that nobody mistakes for others (spec 2.1)', () => {
  for (const prefix of ['ctr', 'pty', 'ptn', 'chg', 'rep', 'req', 'evt', 'aud'] as const) {
    expect(newId(prefix)).toMatch(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`))
  }
})

test('ids sort by time (spec 2.1)', () => {
  const times = [0, 1, 31, 32, 1023, 1024, 1_700_000_000_000, Date.now(), 2 ** 45, 2 ** 50 - 1]
  const ids = times.map((time) => newId('ctr', time))
  expect([...ids].sort()).toEqual(ids)
  expect(newId('ctr', times[7]).slice(0, 14)).toBe(newId('ctr', times[7]).slice(0, 14))
})

test('no two ids are equal, in one millisecond and beyond one pool of random bytes', () => {
  const ids = Array.from({ length: 10_000 }, () => newId('ctr', 1_700_000_000_000))
  expect(new Set(ids).size).toBe(ids.length)
  const seen = new Set(ids.flatMap((id) => [...id.slice(14)]))
  expect(seen.size).toBe(32)
})
