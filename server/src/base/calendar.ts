import type { Clock } from './clock.ts'

const MINUTE_MS = 60_000

/** Business dates: what day it is where the business is. */
export interface Calendar {
  today(): string
}

/** Asked for on every read, so the text is kept for the running minute. */
export function calendarOf(timeZone: string, clock: Clock): Calendar {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  let minute = Number.NaN
  let text = ''
  return {
    today() {
      const now = Math.floor(clock() / MINUTE_MS)
      if (now !== minute) {
        minute = now
        text = format.format(now * MINUTE_MS)
      }
      return text
    },
  }
}
