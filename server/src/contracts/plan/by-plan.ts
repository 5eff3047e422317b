import type { Money } from '../../base/money.ts'
import type { PlanRow } from './rows.ts'

// No payments are kept yet: these figures say what the plan says, not what was paid.

/** The first due date from this day on; undefined when every row is past. */
export function nextDueOf(rows: readonly PlanRow[], today: string): string | undefined {
  return rows.find(({ dueDate }) => dueDate >= today)?.dueDate
}

/** What is still owed at the end of this day when every row due by then was paid on time. */
export function outstandingByPlan(rows: readonly PlanRow[], financed: Money, date: string): Money {
  return rows.findLast(({ dueDate }) => dueDate <= date)?.balanceAfter ?? financed
}
