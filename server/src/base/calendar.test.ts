import { expect, test } from 'vitest'
import { calendarOf } from './calendar.ts'

const at = (instant: string): (() => number) => {
  return () => Date.parse(instant)
}

test.each([
  ['UTC', '2026-12-31T23:59:59.999Z', '2026-12-31'],
  ['UTC', '2027-01-01T00:00:00.000Z', '2027-01-01'],
  ['Europe/Berlin', '2026-12-31T22:59:59.999Z', '2026-12-31'],
  ['Europe/Berlin', '2026-12-31T23:00:00.000Z', '2027-01-01'],
  ['America/New_York', '2027-01-01T04:59:59.999Z', '2026-12-31'],
  ['Pacific/Auckland', '2026-06-30T12:00:00.000Z', '2026-07-01'],
  ['Asia/Kathmandu', '2026-02-28T18:15:00.000Z', '2026-03-01'],
])('in %s it is at %s the %s', (zone, instant, day) => {
  expect(calendarOf(zone, at(instant)).today()).toBe(day)
})

test('the day changes at midnight, not a minute later, and a clock that is set back is believed', () => {
  let now = Date.parse('2026-03-01T22:59:59.999Z')
  const calendar = calendarOf('Europe/Berlin', () => now)
  expect(calendar.today()).toBe('2026-03-01')
  now += 1
  expect(calendar.today()).toBe('2026-03-02')
  now -= 1
  expect(calendar.today()).toBe('2026-03-01')
})
