import { type CalendarDate, readDate } from '../base/dates.ts'
import { addMoney, type Money, shareOfMoney } from '../base/money.ts'
import { RATE_UNITS_IN_WHOLE, readRate } from '../base/rates.ts'
import { MONTHS_PER_PERIOD, outstandingByPlan, type PlanRow } from './plan/index.ts'
import { planOfContract } from './schedule.ts'
import type { StoredContract } from './stored-contract.ts'

export interface SettlementFigures {
  readonly outstanding: Money
  readonly accruedInterest: Money
  readonly total: Money
}

const DAYS_PER_YEAR = 360n

/**
 * What would settle the contract on a day, if everything due by then was paid on time: the balance by
 * plan and the interest since the last due date, by 30/360 days.
 */
export function settlementOf(contract: StoredContract, date: string): SettlementFigures {
  const { rows } = planOfContract(contract)
  const { financedAmount } = contract.terms
  const outstanding = outstandingByPlan(rows, financedAmount, date)
  const accruedInterest = accruedOf(contract, rows, outstanding, date)
  return { outstanding, accruedInterest, total: addMoney(outstanding, accruedInterest) }
}

function accruedOf(
  { terms }: StoredContract,
  rows: readonly PlanRow[],
  outstanding: Money,
  date: string,
): Money {
  const last = rows.findLast(({ dueDate }) => dueDate <= date)
  const isOver = last !== undefined && last.no === rows.length
  // A due day that a month lacks falls earlier; the period is none the longer for it.
  const { day } = dayOf(terms.firstDueDate)
  const [from, to] = [{ ...dayOf(last?.dueDate ?? terms.firstDueDate), day }, dayOf(date)]
  // Before the first row of a plan in arrears one period has begun already; in advance none has.
  const begun =
    last === undefined && terms.timing === 'ARREARS' ? MONTHS_PER_PERIOD[terms.frequency] * 30 : 0
  const days = isOver ? 0 : Math.max(0, days360(from, to) + begun)
  const rate = readRate(terms.nominalRate)
  if (!rate.ok) throw new Error(`The stored rate ${terms.nominalRate} cannot be read.`)
  return shareOfMoney(outstanding, rate.value * BigInt(days), RATE_UNITS_IN_WHOLE * DAYS_PER_YEAR)
}

function dayOf(text: string): CalendarDate {
  const read = readDate(text)
  if (!read.ok) throw new Error(`${text} is no date.`)
  return read.value
}

/** 30/360: every month has thirty days. */
function days360(from: CalendarDate, to: CalendarDate): number {
  const months = (to.year - from.year) * 12 + to.month - from.month
  return months * 30 + Math.min(to.day, 30) - Math.min(from.day, 30)
}
