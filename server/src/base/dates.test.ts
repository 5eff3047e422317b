import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths, type CalendarDate, dateText, readDate } from './dates.ts'

function dateOf(text: string): CalendarDate {
  const read = readDate(text)
  if (!read.ok) throw new Error(read.fault.code)
  return read.value
}

describe('dates', () => {
  test.each(['1900-01-01', '2000-02-29', '2024-02-29', '2026-12-31', '2199-12-31'])(
    '%s is a day',
    (text) => {
      expect(dateText(dateOf(text))).toBe(text)
    },
  )

  test.each([
    ['2026-02-29', 'DATE_NOT_CALENDAR'],
    ['1900-02-29', 'DATE_NOT_CALENDAR'],
    ['2100-02-29', 'DATE_NOT_CALENDAR'],
    ['2026-04-31', 'DATE_NOT_CALENDAR'],
    ['2026-00-10', 'DATE_NOT_CALENDAR'],
    ['2026-13-10', 'DATE_NOT_CALENDAR'],
    ['2026-01-00', 'DATE_NOT_CALENDAR'],
    ['2026-1-1', 'DATE_NOT_CALENDAR'],
    ['2026-01-01T00:00:00Z', 'DATE_NOT_CALENDAR'],
    ['20260101', 'DATE_NOT_CALENDAR'],
    ['01.01.2026', 'DATE_NOT_CALENDAR'],
    [' 2026-01-01', 'DATE_NOT_CALENDAR'],
    ['2026-01-01\n', 'DATE_NOT_CALENDAR'],
    ['', 'DATE_NOT_CALENDAR'],
    ['1899-12-31', 'DATE_OUT_OF_RANGE'],
    ['2200-01-01', 'DATE_OUT_OF_RANGE'],
  ])('%j is refused', (text, code) => {
    expect(readDate(text)).toMatchObject({ ok: false, fault: { code } })
  })

  test('exactly the days that the calendar has are accepted', () => {
    const part = (most: number) => fc.integer({ min: 0, max: most })
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2199 }), part(13), part(32), (year, month, day) => {
        const two = (value: number) => String(value).padStart(2, '0')
        const text = `${year}-${two(month)}-${two(day)}`
        const real = new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text)
        expect(readDate(text).ok).toBe(real)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('months added', () => {
  test('a day that the month lacks falls on its last day and comes back afterwards', () => {
    const start = dateOf('2027-01-31')
    const dates = [0, 1, 2, 3, 13, 14].map((months) => dateText(addMonths(start, months)))
    expect(dates).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2028-02-29',
      '2028-03-31',
    ])
  })

  test.each([
    ['2026-11-30', 3, '2027-02-28'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2026-01-15', -1, '2025-12-15'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-01', 600, '2076-01-01'],
  ])('%s and %d months is %s', (text, months, expected) => {
    expect(dateText(addMonths(dateOf(text), months))).toBe(expected)
  })
})
