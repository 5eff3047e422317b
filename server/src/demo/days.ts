import { addMonths, type CalendarDate, dateText } from '../base/dates.ts'

const DAY_MS = 86_400_000
const SATURDAY = 6
const SUNDAY = 0

function midnightOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

export function dayOfInstant(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** The business does not work at weekends; holidays differ too much to tell of them. */
export function workingDayBefore(lastDay: string, workingDays: number): string {
  let ms = midnightOf(lastDay)
  for (let left = workingDays; left > 0; ) {
    ms -= DAY_MS
    const weekday = new Date(ms).getUTCDay()
    if (weekday !== SATURDAY && weekday !== SUNDAY) left -= 1
  }
  return dayOfInstant(ms)
}

/** A due day in one of the following months: `dueDayAfter('2026-10-20', 1, 15)` is 2026-11-15. */
export function dueDayAfter(day: string, months: number, dayOfMonth = 1): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  const first: CalendarDate = { year, month, day: dayOfMonth }
  return dateText(addMonths(first, months))
}
