import { type CalendarDate, readDate } from '../../base/dates.ts'
import type { FieldFault } from '../../base/errors.ts'
import type { Outcome } from '../../base/fault.ts'
import { type AmountRange, type Money, minorUnitsOf, readMoney } from '../../base/money.ts'
import { readRate } from '../../base/rates.ts'
import {
  type CompleteTerms,
  DEFAULT_FREQUENCY,
  DEFAULT_TIMING,
  MAX_TERM_MONTHS,
  MIN_TERM_MONTHS,
  MONTHS_PER_PERIOD,
  type Terms,
  type Timing,
} from './terms.ts'

/** The terms as exact numbers: amounts in whole minor units, rates in millionths of a percent. */
export interface Figures {
  readonly currency: string
  readonly financed: bigint
  readonly residual: bigint
  readonly nominalRate: bigint
  readonly vatRate: bigint | undefined
  readonly termMonths: number
  readonly monthsPerPeriod: number
  readonly timing: Timing
  readonly firstDue: CalendarDate
}

export type TermsReading =
  | { readonly ok: true; readonly terms: CompleteTerms; readonly figures: Figures }
  | { readonly ok: false; readonly faults: readonly FieldFault[] }

interface Values {
  readonly financedAmount: Money
  readonly downPayment: Money | undefined
  readonly residualValue: Money | undefined
  readonly nominalRate: bigint
  readonly vatRate: bigint | undefined
  readonly firstDue: CalendarDate
}

/** Each value on its own: what is found here is malformed, whatever the other values say. */
export function readTerms(written: Terms): TermsReading {
  const faults: FieldFault[] = []
  const values = valuesOf(written, faults)
  if (values === undefined) return { ok: false, faults }
  const terms = completeTermsOf(written, values)
  return { ok: true, terms, figures: figuresOf(terms, values) }
}

function valuesOf(written: Terms, faults: FieldFault[]): Values | undefined {
  const { vatRate: vat } = written
  const financedAmount = moneyAt('financedAmount', written.financedAmount, 'POSITIVE', faults)
  const downPayment = moneyAt('downPayment', written.downPayment, 'NOT_NEGATIVE', faults)
  const residualValue = moneyAt('residualValue', written.residualValue, 'NOT_NEGATIVE', faults)
  const nominalRate = valueAt('nominalRate', readRate(written.nominalRate), faults)
  const vatRate = vat === undefined ? undefined : valueAt('vatRate', readRate(vat), faults)
  const firstDue = valueAt('firstDueDate', readDate(written.firstDueDate), faults)
  if (!isTermMonths(written.termMonths)) {
    const detail = `Send a whole number of months from ${MIN_TERM_MONTHS} to ${MAX_TERM_MONTHS}.`
    faults.push({ pointer: '/terms/termMonths', code: 'TERM_OUT_OF_RANGE', detail })
  }
  if (faults.length > 0 || !financedAmount || nominalRate === undefined || !firstDue) {
    return undefined
  }
  return { financedAmount, downPayment, residualValue, nominalRate, vatRate, firstDue }
}

function moneyAt(
  member: string,
  written: Money | undefined,
  range: AmountRange,
  faults: FieldFault[],
): Money | undefined {
  if (written === undefined) return undefined
  const read = readMoney(written, range)
  if (read.ok) return read.value
  const { member: part, code, detail } = read.fault
  faults.push({ pointer: `/terms/${member}/${part}`, code, detail })
  return undefined
}

function valueAt<Value>(
  member: string,
  read: Outcome<Value>,
  faults: FieldFault[],
): Value | undefined {
  if (read.ok) return read.value
  faults.push({ pointer: `/terms/${member}`, ...read.fault })
  return undefined
}

function isTermMonths(months: number): boolean {
  return Number.isInteger(months) && months >= MIN_TERM_MONTHS && months <= MAX_TERM_MONTHS
}

function completeTermsOf(written: Terms, values: Values): CompleteTerms {
  const { financedAmount, downPayment, residualValue } = values
  return {
    ...written,
    financedAmount,
    ...(downPayment && { downPayment }),
    ...(residualValue && { residualValue }),
    frequency: written.frequency ?? DEFAULT_FREQUENCY,
    timing: written.timing ?? DEFAULT_TIMING,
  }
}

function figuresOf(terms: CompleteTerms, values: Values): Figures {
  const { financedAmount, residualValue, nominalRate, vatRate, firstDue } = values
  return {
    currency: financedAmount.currency,
    financed: minorUnitsOf(financedAmount),
    residual: residualValue === undefined ? 0n : minorUnitsOf(residualValue),
    nominalRate,
    vatRate,
    termMonths: terms.termMonths,
    monthsPerPeriod: MONTHS_PER_PERIOD[terms.frequency],
    timing: terms.timing,
    firstDue,
  }
}
