import { addMonths, dateText } from '../../base/dates.ts'
import type { FieldFault } from '../../base/errors.ts'
import { type Money, moneyOf } from '../../base/money.ts'
import { type CashFlow, effectiveRateOf } from './effective-rate.ts'
import { periodRateOf } from './period-rate.ts'
import { type Figures, readTerms } from './read-terms.ts'
import { type Instalments, instalmentsOf, isEven } from './repayment.ts'
import { type PlanRow, paymentsOf, rowsOf, type Totals, totalsOf } from './rows.ts'
import { violationsOf } from './rules.ts'
import type { CompleteTerms, Terms } from './terms.ts'

export interface Plan {
  readonly rows: readonly PlanRow[]
  readonly instalment: Money
  readonly totals: Totals
  readonly effectiveRate: string
  readonly endDate: string
}

/** MALFORMED: a value cannot be read. VIOLATED: the values break a rule together. */
export type PlanOutcome =
  | { readonly ok: true; readonly terms: CompleteTerms; readonly plan: Plan }
  | {
      readonly ok: false
      readonly kind: 'MALFORMED' | 'VIOLATED'
      readonly faults: readonly FieldFault[]
    }

/** The plan of a contract, by the formulas and choices of the README beside this file. */
export function planOf(written: Terms): PlanOutcome {
  const reading = readTerms(written)
  if (!reading.ok) return { ok: false, kind: 'MALFORMED', faults: reading.faults }
  const { terms, figures } = reading
  const rate = periodRateOf(figures.nominalRate, figures.monthsPerPeriod)
  const violations = violationsOf(terms, figures, rate)
  if (violations.length > 0) return { ok: false, kind: 'VIOLATED', faults: violations }

  const { financed, residual, timing } = figures
  const count = figures.termMonths / figures.monthsPerPeriod
  const instalments = instalmentsOf({ financed, residual, rate, count, timing })
  if (!isEven(instalments)) {
    return { ok: false, kind: 'VIOLATED', faults: [unevenFaultOf(figures)] }
  }
  const payments = paymentsOf(instalments, figures)
  const plan: Plan = {
    rows: rowsOf(instalments, payments, figures),
    instalment: payments.level.total,
    totals: totalsOf(instalments, payments, figures),
    effectiveRate: effectiveRateOf(cashFlowOf(instalments, figures), rate),
    endDate: endDateOf(figures),
  }
  return { ok: true, terms, plan }
}

/** The residual counts as paid with the last row. In ADVANCE the first row lessens the outlay. */
function cashFlowOf({ level, last, each }: Instalments, figures: Figures): CashFlow {
  const { financed, residual, timing, monthsPerPeriod } = figures
  const flow = { level, last: last + residual, monthsPerPeriod }
  return timing === 'ADVANCE'
    ? { ...flow, outlay: financed - level, count: each.length - 1 }
    : { ...flow, outlay: financed, count: each.length }
}

function endDateOf({ firstDue, termMonths, monthsPerPeriod, timing }: Figures): string {
  const months = timing === 'ADVANCE' ? termMonths : termMonths - monthsPerPeriod
  return dateText(addMonths(firstDue, months))
}

function unevenFaultOf({ currency }: Figures): FieldFault {
  const unit = `${moneyOf(1n, currency).amount} ${currency}`
  const why = `Rounded to ${unit} these terms give no even instalments.`
  const detail = `${why} Choose a shorter term, a larger amount or a lower rate.`
  return { pointer: '/terms/termMonths', code: 'INSTALMENTS_UNEVEN', detail }
}
