import { describe, expect, test } from 'vitest'
import type { Money } from '../../base/money.ts'
import { type Plan, planOf } from './plan.ts'
import { type Frequency, MONTHS_PER_PERIOD, type Terms, type Timing } from './terms.ts'

const eur = (amount: string): Money => ({ amount, currency: 'EUR' })

const LEAST: Terms = {
  financedAmount: eur('12000.00'),
  nominalRate: '6',
  termMonths: 12,
  firstDueDate: '2026-02-01',
}

function requirePlan(terms: Partial<Terms>): Plan {
  const outcome = planOf({ ...LEAST, ...terms })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults))
  return outcome.plan
}

const minor = ({ amount }: Money): bigint => BigInt(amount.replace('.', ''))
const sumOf = (moneys: readonly Money[]): bigint =>
  moneys.reduce((sum, money) => sum + minor(money), 0n)

describe('the least terms', () => {
  test('are paid monthly in arrears', () => {
    const outcome = planOf(LEAST)
    expect(outcome).toMatchObject({
      ok: true,
      terms: { frequency: 'MONTHLY', timing: 'ARREARS', financedAmount: eur('12000.00') },
    })
    const plan = requirePlan({})
    expect(plan.instalment).toEqual(eur('1032.80'))
    expect(plan.rows[0]).toEqual({
      no: 1,
      dueDate: '2026-02-01',
      principal: eur('972.80'),
      interest: eur('60.00'),
      total: eur('1032.80'),
      balanceAfter: eur('11027.20'),
    })
    expect(plan.rows[11]).toEqual({
      no: 12,
      dueDate: '2027-01-01',
      principal: eur('1027.64'),
      interest: eur('5.14'),
      total: eur('1032.78'),
      balanceAfter: eur('0.00'),
    })
    expect(plan.totals).toEqual({ toPay: eur('12393.58'), interest: eur('393.58') })
    expect(plan.effectiveRate).toBe('6.17')
    expect(plan.endDate).toBe('2027-01-01')
  })

  test('come back canonical, with the rate as it was written', () => {
    const written = { ...LEAST, financedAmount: eur('12000'), nominalRate: '6.0' }
    expect(planOf({ ...written, residualValue: eur('1'), downPayment: eur('0') })).toMatchObject({
      terms: {
        financedAmount: eur('12000.00'),
        residualValue: eur('1.00'),
        downPayment: eur('0.00'),
        nominalRate: '6.0',
      },
    })
  })

  test('the down payment is told, not reckoned with', () => {
    expect(requirePlan({ downPayment: eur('3000.00') })).toEqual(requirePlan({}))
  })
})

const FREQUENCIES = Object.keys(MONTHS_PER_PERIOD) as Frequency[]
const TIMINGS: readonly Timing[] = ['ARREARS', 'ADVANCE']
const CURRENCIES = [
  ['JPY', 0],
  ['EUR', 2],
  ['KWD', 3],
] as const
const GRID = FREQUENCIES.flatMap((frequency) =>
  TIMINGS.flatMap((timing) =>
    CURRENCIES.map(([currency, decimals]) => ({ frequency, timing, currency, decimals })),
  ),
)

describe.each(GRID)('$frequency in $timing in $currency', (cell) => {
  const { frequency, timing, currency, decimals } = cell
  const months = MONTHS_PER_PERIOD[frequency]
  const plan = requirePlan({
    financedAmount: { amount: '1200000', currency },
    residualValue: { amount: '200000', currency },
    nominalRate: '7.25',
    termMonths: 48,
    frequency,
    timing,
    vatRate: '19',
  })
  const count = 48 / months
  const rate = (0.0725 * months) / 12

  test('every amount has the decimals of the currency', () => {
    const pattern = decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+\\.\\d{${decimals}}$`)
    for (const { principal, interest, total, vat, gross, balanceAfter } of plan.rows) {
      for (const money of [principal, interest, total, vat, gross, balanceAfter]) {
        expect(money?.amount).toMatch(pattern)
        expect(money?.currency).toBe(currency)
      }
    }
  })

  test('the instalment is the one of the closed formula', () => {
    const growth = (1 + rate) ** count
    const grown = timing === 'ADVANCE' ? growth / (1 + rate) : growth
    const exact = (rate * (1_200_000 * grown - 200_000)) / (growth - 1)
    expect(plan.instalment.amount).toBe(exact.toFixed(decimals))
  })

  test('one row per period, the residual is left and is no row', () => {
    expect(plan.rows).toHaveLength(count)
    expect(plan.rows.at(-1)?.balanceAfter).toEqual({
      amount: (200_000).toFixed(decimals),
      currency,
    })
    expect(sumOf(plan.rows.map((row) => row.principal))).toBe(1_000_000n * 10n ** BigInt(decimals))
    expect(minor(plan.totals.toPay)).toBe(sumOf(plan.rows.map((row) => row.total)))
  })

  test('the effective rate is the nominal one, compounded', () => {
    const exact = ((1 + rate) ** (12 / months) - 1) * 100
    expect(Math.abs(Number(plan.effectiveRate) - exact)).toBeLessThan(0.0101)
  })

  test('the plan ends with its last due date, in advance one period later', () => {
    expect(plan.rows.at(-1)?.dueDate).toBe(timing === 'ADVANCE' ? lastDue(months) : plan.endDate)
    expect(plan.endDate).toBe(timing === 'ADVANCE' ? '2030-02-01' : lastDue(months))
  })
})

function lastDue(months: number): string {
  return ({ 1: '2030-01-01', 3: '2029-11-01', 6: '2029-08-01', 12: '2029-02-01' } as const)[
    months as 1 | 3 | 6 | 12
  ]
}

describe('due dates', () => {
  test('a due day that a month lacks falls on its last day, and only there', () => {
    const plan = requirePlan({ firstDueDate: '2027-10-31', termMonths: 7 })
    expect(plan.rows.map((row) => row.dueDate)).toEqual([
      '2027-10-31',
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
    ])
  })

  test('quarters and years keep the day as well', () => {
    const quarters = requirePlan({ firstDueDate: '2026-11-30', frequency: 'QUARTERLY' })
    expect(quarters.rows.map((row) => row.dueDate)).toEqual([
      '2026-11-30',
      '2027-02-28',
      '2027-05-30',
      '2027-08-30',
    ])
    const years = requirePlan({
      firstDueDate: '2028-02-29',
      frequency: 'YEARLY',
      termMonths: 60,
      timing: 'ADVANCE',
    })
    expect(years.rows.map((row) => row.dueDate).at(-1)).toBe('2032-02-29')
    expect(years.rows[1]?.dueDate).toBe('2029-02-28')
    expect(years.endDate).toBe('2033-02-28')
  })
})

describe('value added tax', () => {
  test('stands on each row total; totals to pay are net', () => {
    const plan = requirePlan({ vatRate: '19' })
    expect(plan.rows[0]).toMatchObject({
      total: eur('1032.80'),
      vat: eur('196.23'),
      gross: eur('1229.03'),
    })
    expect(plan.rows[11]).toMatchObject({
      total: eur('1032.78'),
      vat: eur('196.23'),
      gross: eur('1229.01'),
    })
    expect(plan.totals).toEqual({
      toPay: eur('12393.58'),
      interest: eur('393.58'),
      vat: eur('2354.76'),
    })
  })

  test('a rate of 0 is shown, no rate is not', () => {
    expect(requirePlan({ vatRate: '0' }).totals.vat).toEqual(eur('0.00'))
    const { rows, totals } = requirePlan({})
    expect(Object.keys(totals)).toEqual(['toPay', 'interest'])
    expect(Object.keys(rows[0] ?? {})).not.toContain('vat')
  })
})

describe('without interest', () => {
  test.each(TIMINGS)('in %s the amount is divided and the last row takes the rest', (timing) => {
    const plan = requirePlan({
      financedAmount: eur('100.00'),
      nominalRate: '0',
      termMonths: 7,
      timing,
    })
    expect(plan.rows.map((row) => row.total.amount)).toEqual([...Array(6).fill('14.29'), '14.26'])
    expect(plan.totals.interest).toEqual(eur('0.00'))
    expect(plan.effectiveRate).toBe('0.00')
  })
})

describe('the edges of the terms', () => {
  test('one row repays all, with one period of interest in arrears and none in advance', () => {
    const one = { termMonths: 1, nominalRate: '12' }
    expect(requirePlan(one)).toMatchObject({ instalment: eur('12120.00'), effectiveRate: '12.68' })
    const advance = requirePlan({ ...one, timing: 'ADVANCE' })
    expect(advance).toMatchObject({ instalment: eur('12000.00'), effectiveRate: '0.00' })
  })

  test('the instalment of a single row is that row, also where its interest is a tie', () => {
    const { instalment, rows } = requirePlan({
      financedAmount: eur('1.01'),
      nominalRate: '50',
      frequency: 'YEARLY',
    })
    expect(rows[0]?.total).toEqual(eur('1.51'))
    expect(instalment).toEqual(eur('1.51'))
  })

  test('interest alone is paid when the residual is all that was financed', () => {
    const plan = requirePlan({ residualValue: eur('12000.00') })
    expect(new Set(plan.rows.map((row) => row.total.amount))).toEqual(new Set(['60.00']))
    expect(plan.totals).toEqual({ toPay: eur('720.00'), interest: eur('720.00') })
    expect(plan.effectiveRate).toBe('6.17')
  })

  test('600 months, the largest amount and the finest rate are exact', () => {
    const plan = requirePlan({
      financedAmount: eur('9999999999999.99'),
      nominalRate: '4.999999',
      termMonths: 600,
    })
    expect(sumOf(plan.rows.map((row) => row.principal))).toBe(999_999_999_999_999n)
    expect(plan.rows).toHaveLength(600)
    expect(plan.effectiveRate).toBe('5.12')
  })
})
