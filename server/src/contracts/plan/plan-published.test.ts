import { describe, expect, test } from 'vitest'
import type { Money } from '../../base/money.ts'
import { effectiveRateOf } from './effective-rate.ts'
import { type Plan, planOf } from './plan.ts'
import type { Terms } from './terms.ts'

// Figures that others published, each also checked here by a closed formula in plain numbers.

interface Loan {
  readonly amount: number
  readonly ratePercent: number
  readonly months: number
}

const usd = (amount: string): Money => ({ amount, currency: 'USD' })
const numberOf = ({ amount }: Money): number => Number(amount)

function requirePlan({ amount, ratePercent, months }: Loan, terms: Partial<Terms> = {}): Plan {
  const outcome = planOf({
    financedAmount: usd(String(amount)),
    nominalRate: String(ratePercent),
    termMonths: months,
    firstDueDate: '2026-01-01',
    ...terms,
  })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults))
  return outcome.plan
}

/** The textbook annuity: P · i / (1 − (1 + i)⁻ⁿ). */
function annuityOf({ amount, ratePercent, months }: Loan): number {
  const rate = ratePercent / 1200
  return (amount * rate) / (1 - (1 + rate) ** -months)
}

/** What is owed after k level payments: P · (1 + i)ᵏ − A · ((1 + i)ᵏ − 1) / i. */
function owedAfter(loan: Loan, payments: number): number {
  const rate = loan.ratePercent / 1200
  const growth = (1 + rate) ** payments
  return loan.amount * growth - (annuityOf(loan) * (growth - 1)) / rate
}

describe('Microsoft Excel, PMT: 10,000 at 8 % over 10 months', () => {
  const loan: Loan = { amount: 10_000, ratePercent: 8, months: 10 }

  test('1,037.03 at the end of each month', () => {
    expect(annuityOf(loan).toFixed(2)).toBe('1037.03')
    expect(requirePlan(loan).instalment).toEqual(usd('1037.03'))
  })

  test('1,030.16 at the beginning (the same two figures as in SAS, PMT function)', () => {
    expect((annuityOf(loan) / (1 + 0.08 / 12)).toFixed(2)).toBe('1030.16')
    const plan = requirePlan(loan, { timing: 'ADVANCE' })
    expect(plan.instalment).toEqual(usd('1030.16'))
    expect(plan.rows[0]).toMatchObject({ principal: usd('1030.16'), interest: usd('0.00') })
  })
})

describe('Microsoft Excel, CUMPRINC and CUMIPMT: 125,000 at 9 % over 30 years', () => {
  const loan: Loan = { amount: 125_000, ratePercent: 9, months: 360 }
  const { rows } = requirePlan(loan)

  test('first month: 68.28 principal (published 68.27827), 937.50 interest', () => {
    expect((loan.amount - owedAfter(loan, 1)).toFixed(5)).toBe('68.27827')
    expect(rows[0]).toMatchObject({ principal: usd('68.28'), interest: usd('937.50') })
  })

  test('second year: 934.11 principal (published 934.1071), 11,135.23 interest', () => {
    expect((owedAfter(loan, 12) - owedAfter(loan, 24)).toFixed(4)).toBe('934.1071')
    const year = rows.slice(12, 24)
    const principal = year.reduce((sum, row) => sum + numberOf(row.principal), 0)
    const interest = year.reduce((sum, row) => sum + numberOf(row.interest), 0)
    // The plan rounds its instalment and every row, the published figure only its end.
    expect(Math.abs(principal - 934.1071)).toBeLessThan(0.06)
    expect(Math.abs(interest - 11_135.23)).toBeLessThan(0.06)
  })
})

describe('NumPy Financial, ipmt: 2,500 at 8.24 % over 12 months', () => {
  const loan: Loan = { amount: 2_500, ratePercent: 8.24, months: 12 }
  const PUBLISHED: readonly (readonly [principal: number, interest: number, left: number])[] = [
    [200.58, 17.17, 2299.42],
    [201.96, 15.79, 2097.46],
    [203.35, 14.4, 1894.11],
    [204.74, 13.01, 1689.37],
    [206.15, 11.6, 1483.22],
    [207.56, 10.18, 1275.66],
    [208.99, 8.76, 1066.67],
    [210.42, 7.32, 856.25],
    [211.87, 5.88, 644.38],
    [213.32, 4.42, 431.05],
    [214.79, 2.96, 216.26],
    [216.26, 1.49, 0],
  ]

  test('the amortisation table, row by row, within the cents that rounding moves', () => {
    const { rows } = requirePlan(loan)
    for (const [index, [principal, interest, left]] of PUBLISHED.entries()) {
      expect(Math.abs(owedAfter(loan, index + 1) - left)).toBeLessThan(0.00501)
      const row = rows[index]
      if (row === undefined) throw new Error('A row is missing.')
      expect(Math.abs(numberOf(row.principal) - principal)).toBeLessThan(0.021)
      expect(Math.abs(numberOf(row.interest) - interest)).toBeLessThan(0.011)
      expect(Math.abs(numberOf(row.balanceAfter) - left)).toBeLessThan(0.021)
    }
  })

  test('112.98 interest in all, of which rounding every row to cents keeps 112.97', () => {
    expect((annuityOf(loan) * 12 - 2_500).toFixed(2)).toBe('112.98')
    expect(requirePlan(loan).totals.interest).toEqual(usd('112.97'))
  })
})

describe('CFPB, Loan Estimate sample H-24(B): 162,000 at 3.875 % over 30 years', () => {
  const loan: Loan = { amount: 162_000, ratePercent: 3.875, months: 360 }
  const plan = requirePlan(loan)

  test('761.78 a month', () => {
    expect(annuityOf(loan).toFixed(2)).toBe('761.78')
    expect(plan.instalment).toEqual(usd('761.78'))
  })

  test('15,773 of principal paid off in 5 years', () => {
    expect((loan.amount - owedAfter(loan, 60)).toFixed(0)).toBe('15773')
    const left = plan.rows[59]?.balanceAfter
    expect(left && (loan.amount - numberOf(left)).toFixed(0)).toBe('15773')
  })
})

describe('Regulation Z, appendix J, example (c)(1)(i): 5,000 for 24 payments of 230', () => {
  test('an annual percentage rate of 9.69 % a year by months, 10.13 % effective', () => {
    const rate = 0.0969 / 12
    expect(((230 * (1 - (1 + rate) ** -24)) / rate).toFixed(0)).toBe('5000')
    const flow = { outlay: 500_000n, level: 23_000n, last: 23_000n, count: 24, monthsPerPeriod: 1 }
    const effective = effectiveRateOf(flow, { numerator: 1n, denominator: 100n })
    const nominal = ((1 + Number(effective) / 100) ** (1 / 12) - 1) * 1200
    expect(nominal.toFixed(2)).toBe('9.69')
    expect(effective).toBe('10.13')
  })
})
