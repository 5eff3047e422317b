import { addMonths, LAST_YEAR } from '../../base/dates.ts'
import type { FieldFault } from '../../base/errors.ts'
import { type Money, moneyOf } from '../../base/money.ts'
import type { Fraction } from './period-rate.ts'
import type { Figures } from './read-terms.ts'
import type { CompleteTerms } from './terms.ts'

/** What well-formed values may not say together (422 for the client). */
export function violationsOf(
  terms: CompleteTerms,
  figures: Figures,
  rate: Fraction,
): readonly FieldFault[] {
  return [
    periodViolationOf(figures, terms),
    endViolationOf(figures),
    currencyViolationOf('downPayment', terms.downPayment, figures.currency),
    currencyViolationOf('residualValue', terms.residualValue, figures.currency) ??
      residualViolationOf(figures, rate),
  ].filter((fault) => fault !== undefined)
}

function periodViolationOf(figures: Figures, terms: CompleteTerms): FieldFault | undefined {
  if (figures.termMonths % figures.monthsPerPeriod === 0) return undefined
  const { frequency } = terms
  const detail = `With ${frequency} send a term of a multiple of ${figures.monthsPerPeriod} months.`
  return { pointer: '/terms/termMonths', code: 'TERM_NOT_MULTIPLE', detail }
}

function endViolationOf({ firstDue, termMonths }: Figures): FieldFault | undefined {
  if (addMonths(firstDue, termMonths).year <= LAST_YEAR) return undefined
  const detail = `Choose an earlier date or a shorter term: a plan ends by ${LAST_YEAR}-12-31.`
  return { pointer: '/terms/firstDueDate', code: 'PLAN_ENDS_TOO_LATE', detail }
}

function currencyViolationOf(
  member: string,
  money: Money | undefined,
  currency: string,
): FieldFault | undefined {
  if (money === undefined || money.currency === currency) return undefined
  const detail = `Send this amount in ${currency}, the currency of the financed amount.`
  return { pointer: `/terms/${member}/currency`, code: 'CURRENCY_MISMATCH', detail }
}

/**
 * Nothing repaid but interest is a plan, nothing repaid at all is none. In ADVANCE the first row is
 * all principal, so more than financed / (1 + i) left over would let the debt grow again later.
 */
function residualViolationOf(figures: Figures, rate: Fraction): FieldFault | undefined {
  const { financed, residual, timing, termMonths, monthsPerPeriod, currency } = figures
  const { numerator, denominator } = rate
  const single = termMonths === monthsPerPeriod
  let most = financed
  if (numerator === 0n || (timing === 'ADVANCE' && single)) most = financed - 1n
  else if (timing === 'ADVANCE') most = (financed * denominator) / (numerator + denominator)
  if (residual <= most) return undefined
  const limit = `${moneyOf(most, currency).amount} ${currency}`
  const detail = `Send a residual value of at most ${limit}, so that every instalment repays.`
  return { pointer: '/terms/residualValue/amount', code: 'RESIDUAL_TOO_LARGE', detail }
}
