import { accepted, type Fault, type Outcome, refused } from './fault.ts'

/** A day of the Gregorian calendar, without time or zone. Months count from 1. */
export interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

export type DateFaultCode = 'DATE_NOT_CALENDAR' | 'DATE_OUT_OF_RANGE'

export const FIRST_YEAR = 1900
export const LAST_YEAR = 2199

const DAYS_IN_MONTH: readonly number[] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const WRITTEN = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/

export function readDate(text: string): Outcome<CalendarDate, Fault<DateFaultCode>> {
  const match = WRITTEN.exec(text)
  const [year, month, day] = [Number(match?.[1]), Number(match?.[2]), Number(match?.[3])]
  if (match === null || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    const detail = 'Write a day of the calendar as YYYY-MM-DD, such as "2026-02-28".'
    return refused({ code: 'DATE_NOT_CALENDAR', detail })
  }
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    const detail = `Send a date from ${FIRST_YEAR}-01-01 to ${LAST_YEAR}-12-31.`
    return refused({ code: 'DATE_OUT_OF_RANGE', detail })
  }
  return accepted({ year, month, day })
}

export function dateText({ year, month, day }: CalendarDate): string {
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`
}

/**
 * The same day of a later (or earlier) month; a day that the month lacks falls on its last day.
 * Count from the first due date, never from row to row: 31 January, 28 February, 31 March.
 */
export function addMonths(date: CalendarDate, months: number): CalendarDate {
  const index = date.year * 12 + date.month - 1 + months
  const year = Math.floor(index / 12)
  const month = index - year * 12 + 1
  return { year, month, day: Math.min(date.day, daysInMonth(year, month)) }
}

export function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] as number)
}
