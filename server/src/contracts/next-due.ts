import { addMonths, dateText, readDate } from '../base/dates.ts'
import { type CompleteTerms, MONTHS_PER_PERIOD } from './plan/index.ts'

/** The first due date by plan from this day on, without reckoning the plan. */
export function nextDueDateOf(terms: CompleteTerms, today: string): string | undefined {
  if (terms.firstDueDate >= today) return terms.firstDueDate
  const first = readDate(terms.firstDueDate)
  if (!first.ok) return undefined
  const step = MONTHS_PER_PERIOD[terms.frequency]
  const count = terms.termMonths / step
  const monthsGone =
    (Number(today.slice(0, 4)) - first.value.year) * 12 +
    Number(today.slice(5, 7)) -
    first.value.month
  for (let no = Math.floor(monthsGone / step); no < count; no++) {
    const due = dateText(addMonths(first.value, no * step))
    if (due >= today) return due
  }
  return undefined
}
