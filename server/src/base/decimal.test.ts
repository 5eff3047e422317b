import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalText, digitsOf, roundedQuotient, unitsOf, writtenDecimalOf } from './decimal.ts'

describe('plain decimals', () => {
  test.each([
    '',
    ' ',
    '1 ',
    ' 1',
    '+1',
    '--1',
    '1e3',
    '1E3',
    '.5',
    '5.',
    '1.2.3',
    '1,5',
    '01',
    '00',
  ])('%j is not one', (text) => {
    expect(writtenDecimalOf(text)).toBeUndefined()
  })

  test.each(['Infinity', 'NaN', '0x10', '1_000', "1'000", '١٢', '1\n', '-', '1n', '𝟏'])(
    '%j is not one either',
    (text) => {
      expect(writtenDecimalOf(text)).toBeUndefined()
    },
  )

  test('every decimal survives being read and written', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.nat(6), (units, decimals) => {
        const written = writtenDecimalOf(decimalText(units, decimals))
        expect(written && unitsOf(written, decimals)).toBe(units)
      }),
    )
  })

  test.each([
    ['0', 1],
    ['12500.00', 5],
    ['12500.10', 6],
    ['0.05', 3],
    ['999999999999999.000', 15],
  ])('%s has %d digits that carry value', (text, digits) => {
    const written = writtenDecimalOf(text)
    expect(written && digitsOf(written)).toBe(digits)
  })
})

describe('half-even rounding', () => {
  test.each([
    [5n, 10n, 0n],
    [15n, 10n, 2n],
    [25n, 10n, 2n],
    [35n, 10n, 4n],
    [-5n, 10n, 0n],
    [-15n, 10n, -2n],
    [-25n, 10n, -2n],
    [24n, 10n, 2n],
    [26n, 10n, 3n],
    [-26n, 10n, -3n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [20n, 10n, 2n],
  ])('%d / %d is %d', (dividend, divisor, quotient) => {
    expect(roundedQuotient(dividend, divisor)).toBe(quotient)
  })

  test('is never further off than half, and even when exactly half', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(1n, 10n ** 30n), (dividend, divisor) => {
        const quotient = roundedQuotient(dividend, divisor)
        const twice = 2n * (dividend - quotient * divisor)
        const distance = twice < 0n ? -twice : twice
        expect(distance <= divisor).toBe(true)
        if (distance === divisor) expect(quotient % 2n).toBe(0n)
      }),
    )
  })
})
