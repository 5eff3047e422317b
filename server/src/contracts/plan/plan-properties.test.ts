import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMonths, dateText } from '../../base/dates.ts'
import { type Money, minorUnitsOf, moneyOf } from '../../base/money.ts'
import { rateText } from '../../base/rates.ts'
import { periodRateOf } from './period-rate.ts'
import { type Plan, planOf } from './plan.ts'
import { levelInstalmentOf } from './repayment.ts'
import { type CompleteTerms, type Frequency, MONTHS_PER_PERIOD, type Terms } from './terms.ts'

const MANY = { numRuns: 300 }

interface Reach {
  readonly amounts: readonly [bigint, bigint]
  readonly ratePercent: number
  readonly months: number
  readonly residualPercent: number
}

/** Everything the contract form takes. */
const WILD: Reach = {
  amounts: [1n, 10n ** 15n - 1n],
  ratePercent: 100,
  months: 600,
  residualPercent: 100,
}

/** Business that must never be refused: half a minor unit per row cannot grow beyond a row here. */
const USUAL: Reach = {
  amounts: [10n ** 6n, 10n ** 12n],
  ratePercent: 20,
  months: 120,
  residualPercent: 50,
}

function termsWithin(reach: Reach): fc.Arbitrary<CompleteTerms> {
  return fc
    .record({
      currency: fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF'),
      financed: fc.bigInt(...reach.amounts),
      residualShare: fc.integer({ min: 0, max: reach.residualPercent }),
      rate: fc.oneof(fc.constant(0n), fc.bigInt(0n, BigInt(reach.ratePercent) * 1_000_000n)),
      frequency: fc.constantFrom<Frequency>('MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      timing: fc.constantFrom('ARREARS' as const, 'ADVANCE' as const),
      firstMonth: fc.integer({ min: 0, max: 1200 }),
      day: fc.integer({ min: 1, max: 31 }),
      vatRate: fc.option(fc.bigInt(0n, 30_000_000n), { nil: undefined }),
    })
    .map(({ currency, financed, residualShare, rate, frequency, share, timing, ...rest }) => {
      const months = MONTHS_PER_PERIOD[frequency]
      const count = 1 + Math.floor(share * (reach.months / months - 1))
      const firstDue = addMonths({ year: 1950, month: 1, day: rest.day }, rest.firstMonth)
      return {
        financedAmount: moneyOf(financed, currency),
        residualValue: moneyOf((financed * BigInt(residualShare)) / 100n, currency),
        nominalRate: rateText(rate),
        termMonths: count * months,
        frequency,
        timing,
        firstDueDate: dateText(firstDue),
        ...(rest.vatRate === undefined ? {} : { vatRate: rateText(rest.vatRate) }),
      }
    })
}

const sumOf = (moneys: readonly (Money | undefined)[]): bigint =>
  moneys.reduce((sum, money) => sum + (money === undefined ? 0n : minorUnitsOf(money)), 0n)

function expectSound(terms: Terms, plan: Plan): void {
  const { rows, totals, instalment } = plan
  const financed = minorUnitsOf(terms.financedAmount)
  const residual = terms.residualValue === undefined ? 0n : minorUnitsOf(terms.residualValue)
  expect(rows.map((row) => row.no)).toEqual(rows.map((_, index) => index + 1))
  expect(sumOf(rows.map((row) => row.principal))).toBe(financed - residual)
  expect(sumOf(rows.map((row) => row.interest))).toBe(minorUnitsOf(totals.interest))
  expect(sumOf(rows.map((row) => row.total))).toBe(minorUnitsOf(totals.toPay))
  expect(sumOf(rows.map((row) => row.vat))).toBe(totals.vat ? minorUnitsOf(totals.vat) : 0n)
  expect(rows.slice(0, -1).every((row) => row.total.amount === instalment.amount)).toBe(true)
  let balance = financed
  let before = ''
  for (const { principal, interest, total, vat, gross, balanceAfter, dueDate } of rows) {
    const parts = [principal, interest, total, balanceAfter].map(minorUnitsOf)
    expect(parts.every((part) => part >= 0n)).toBe(true)
    expect(minorUnitsOf(total)).toBe(minorUnitsOf(principal) + minorUnitsOf(interest))
    expect(gross && minorUnitsOf(gross)).toBe(vat && minorUnitsOf(total) + minorUnitsOf(vat))
    balance -= minorUnitsOf(principal)
    expect(minorUnitsOf(balanceAfter)).toBe(balance)
    expect(dueDate > before).toBe(true)
    before = dueDate
  }
  expect(balance).toBe(residual)
  expect(plan.endDate >= before).toBe(true)
  if (terms.timing === 'ADVANCE') expect(minorUnitsOf(rows[0]?.interest as Money)).toBe(0n)
}

describe('every plan', () => {
  test('is sound, or refused by a rule with a reason, and never fails', () => {
    const reasons = new Set(['INSTALMENTS_UNEVEN', 'RESIDUAL_TOO_LARGE'])
    fc.assert(
      fc.property(termsWithin(WILD), (terms) => {
        const outcome = planOf(terms)
        if (outcome.ok) return expectSound(terms, outcome.plan)
        expect(outcome.kind).toBe('VIOLATED')
        expect(outcome.faults.filter(({ code }) => !reasons.has(code))).toEqual([])
      }),
      MANY,
    )
  })

  test('of usual business is accepted and sound', () => {
    fc.assert(
      fc.property(termsWithin(USUAL), (terms) => {
        const outcome = planOf(terms)
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults))
        expectSound(terms, outcome.plan)
      }),
      MANY,
    )
  })

  test('of usual business has the compounded nominal rate as its effective one', () => {
    fc.assert(
      fc.property(termsWithin(USUAL), (terms) => {
        const outcome = planOf(terms)
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults))
        const months = MONTHS_PER_PERIOD[terms.frequency]
        const rate = (Number(terms.nominalRate) / 100) * (months / 12)
        const bears = terms.timing === 'ARREARS' || terms.termMonths > months
        const exact = bears ? ((1 + rate) ** (12 / months) - 1) * 100 : 0
        expect(Math.abs(Number(outcome.plan.effectiveRate) - exact)).toBeLessThan(0.02)
      }),
      MANY,
    )
  })

  test('in tiny amounts is sound or refused as well', () => {
    const tiny: Reach = { ...WILD, amounts: [1n, 2_000n], months: 60 }
    fc.assert(
      fc.property(termsWithin(tiny), (terms) => {
        const outcome = planOf(terms)
        if (outcome.ok) expectSound(terms, outcome.plan)
        else expect(outcome.kind).toBe('VIOLATED')
      }),
      MANY,
    )
  })
})

describe('the level instalment', () => {
  const debt = fc.record({
    financed: fc.bigInt(1n, 10n ** 15n),
    residualShare: fc.bigInt(0n, 100n),
    nominalRate: fc.bigInt(0n, 100_000_000n),
    months: fc.constantFrom(1, 3, 6, 12),
    count: fc.integer({ min: 1, max: 120 }),
    timing: fc.constantFrom('ARREARS' as const, 'ADVANCE' as const),
  })

  test('is within half a minor unit of the one that leaves exactly the residual', () => {
    fc.assert(
      fc.property(debt, ({ financed, residualShare, nominalRate, months, count, timing }) => {
        const residual = (financed * residualShare) / 100n
        const rate = periodRateOf(nominalRate, months)
        const level = levelInstalmentOf({ financed, residual, rate, count, timing })
        const scale = 2n * rate.denominator ** BigInt(count)
        // Without any rounding: doubled payments half a unit below and above the level one.
        const leftAfter = (doubled: bigint): bigint => {
          let balance = financed * scale
          for (let no = 1; no <= count; no++) {
            const free = no === 1 && timing === 'ADVANCE'
            if (!free) balance += (balance * rate.numerator) / rate.denominator
            balance -= (doubled * scale) / 2n
          }
          return balance
        }
        expect(leftAfter(2n * level - 1n) >= residual * scale).toBe(true)
        expect(leftAfter(2n * level + 1n) <= residual * scale).toBe(true)
      }),
      MANY,
    )
  })

  test('in advance is the one in arrears discounted by one period', () => {
    fc.assert(
      fc.property(debt, ({ financed, nominalRate, months, count }) => {
        const rate = periodRateOf(nominalRate, months)
        const plain = { financed, residual: 0n, rate, count }
        const arrears = levelInstalmentOf({ ...plain, timing: 'ARREARS' })
        const advance = levelInstalmentOf({ ...plain, timing: 'ADVANCE' })
        const { numerator, denominator } = rate
        const difference = advance * (numerator + denominator) - arrears * denominator
        const most = numerator + 2n * denominator
        expect(2n * (difference < 0n ? -difference : difference) <= most).toBe(true)
      }),
      MANY,
    )
  })
})
