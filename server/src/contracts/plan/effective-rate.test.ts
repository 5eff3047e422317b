import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CashFlow, effectiveRateOf } from './effective-rate.ts'

const TEN_PERCENT = { numerator: 1n, denominator: 10n }
const NOTHING = { numerator: 0n, denominator: 1n }

function yearly(outlay: bigint, last: bigint): CashFlow {
  return { outlay, level: last, last, count: 1, monthsPerPeriod: 12 }
}

describe('effective rate', () => {
  test('of one payment after a year is its interest', () => {
    expect(effectiveRateOf(yearly(10_000n, 10_500n), TEN_PERCENT)).toBe('5.00')
  })

  test('is compounded: 1 % a month is 12.68 % a year', () => {
    const flow = { outlay: 100n, level: 101n, last: 101n, count: 1, monthsPerPeriod: 1 }
    expect(effectiveRateOf(flow, TEN_PERCENT)).toBe('12.68')
  })

  test('is rounded half to even, also where it is exactly half', () => {
    expect(effectiveRateOf(yearly(100_000n, 105_125n), TEN_PERCENT)).toBe('5.12')
    expect(effectiveRateOf(yearly(100_000n, 105_135n), TEN_PERCENT)).toBe('5.14')
    expect(effectiveRateOf(yearly(100_000n, 105_145n), NOTHING)).toBe('5.14')
  })

  test('is 0 when no more is paid than was lent', () => {
    expect(effectiveRateOf(yearly(100n, 100n), TEN_PERCENT)).toBe('0.00')
    const nothing = { outlay: 0n, level: 100n, last: 0n, count: 0, monthsPerPeriod: 1 }
    expect(effectiveRateOf(nothing, TEN_PERCENT)).toBe('0.00')
  })

  test('is found from any guess', () => {
    const flow = { outlay: 500_000n, level: 23_000n, last: 23_000n, count: 24, monthsPerPeriod: 1 }
    for (const numerator of [0n, 1n, 8_071n, 100_000n, 1_000_000n, 10_000_000n]) {
      expect(effectiveRateOf(flow, { numerator, denominator: 1_000_000n })).toBe('10.13')
    }
  })

  test('makes the present value of the payments equal to the outlay', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1_000n, 10n ** 9n),
        fc.integer({ min: 1, max: 600 }),
        fc.constantFrom(1, 3, 6, 12),
        fc.integer({ min: 1, max: 100 }),
        (outlay, count, monthsPerPeriod, percent) => {
          const rate = (percent * monthsPerPeriod) / 1200
          const level = BigInt(Math.ceil((Number(outlay) * rate) / (1 - (1 + rate) ** -count)))
          const flow = { outlay, level, last: level + outlay / 10n, count, monthsPerPeriod }
          const found = Number(effectiveRateOf(flow, NOTHING)) / 100
          const above = presentValueOf(flow, found - 0.0001)
          const below = presentValueOf(flow, found + 0.0001)
          expect(above).toBeGreaterThan(Number(outlay))
          expect(below).toBeLessThan(Number(outlay))
        },
      ),
    )
  })
})

function presentValueOf(flow: CashFlow, yearlyRate: number): number {
  const discount = (1 + yearlyRate) ** (-flow.monthsPerPeriod / 12)
  let value = Number(flow.last) * discount ** flow.count
  for (let no = 1; no < flow.count; no++) value += Number(flow.level) * discount ** no
  return value
}
