import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CURRENCY_CODES } from './currencies.ts'
import {
  addMoney,
  compareMoney,
  minorUnitsOf,
  moneyOf,
  readMoney,
  shareOfMoney,
  subtractMoney,
} from './money.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

function canonicalOf(amount: string, currency: string): string | undefined {
  const read = readMoney({ amount, currency }, 'SIGNED')
  return read.ok ? read.value.amount : undefined
}

function codeOf(amount: string, currency: string, range: Parameters<typeof readMoney>[1]) {
  const read = readMoney({ amount, currency }, range)
  return read.ok ? 'accepted' : read.fault.code
}

describe('money that is accepted', () => {
  test.each([
    ['12500', 'EUR', '12500.00'],
    ['12500.0', 'EUR', '12500.00'],
    ['12500.00', 'EUR', '12500.00'],
    ['0.5', 'EUR', '0.50'],
    ['0', 'EUR', '0.00'],
    ['12500', 'JPY', '12500'],
    ['12500', 'KWD', '12500.000'],
    ['0.001', 'KWD', '0.001'],
    ['1', 'CLF', '1.0000'],
    ['-5', 'EUR', '-5.00'],
    ['-0.05', 'EUR', '-0.05'],
    ['-0', 'EUR', '0.00'],
    ['9999999999999.99', 'EUR', '9999999999999.99'],
    ['999999999999999', 'EUR', '999999999999999.00'],
    ['999999999999999.00', 'EUR', '999999999999999.00'],
  ])('%s %s reads %s', (amount, currency, canonical) => {
    expect(canonicalOf(amount, currency)).toBe(canonical)
  })

  test('canonical output is accepted again and stays the same, in every currency', () => {
    const code = fc.constantFrom(...CURRENCY_CODES)
    fc.assert(
      fc.property(code, fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n), (currency, minor) => {
        const money = moneyOf(minor, currency)
        expect(readMoney(money, 'SIGNED')).toEqual({ ok: true, value: money })
        expect(minorUnitsOf(money)).toBe(minor)
      }),
    )
  })
})

describe('money that is refused', () => {
  test.each([
    ['12,50', 'EUR', 'AMOUNT_NOT_DECIMAL'],
    ['1e3', 'EUR', 'AMOUNT_NOT_DECIMAL'],
    ['+1', 'EUR', 'AMOUNT_NOT_DECIMAL'],
    ['', 'EUR', 'AMOUNT_NOT_DECIMAL'],
    ['007', 'EUR', 'AMOUNT_NOT_DECIMAL'],
    ['1.005', 'EUR', 'AMOUNT_TOO_MANY_DECIMALS'],
    ['1.000', 'EUR', 'AMOUNT_TOO_MANY_DECIMALS'],
    ['1.0', 'JPY', 'AMOUNT_TOO_MANY_DECIMALS'],
    ['1.0005', 'KWD', 'AMOUNT_TOO_MANY_DECIMALS'],
    ['99999999999999.99', 'EUR', 'AMOUNT_TOO_LARGE'],
    ['1000000000000000', 'EUR', 'AMOUNT_TOO_LARGE'],
    ['9'.repeat(200_000), 'EUR', 'AMOUNT_TOO_LARGE'],
    ['0', 'EUR', 'AMOUNT_NOT_POSITIVE'],
    ['0.00', 'EUR', 'AMOUNT_NOT_POSITIVE'],
    ['-1', 'EUR', 'AMOUNT_NOT_POSITIVE'],
    ['1', 'EURO', 'CURRENCY_UNKNOWN'],
    ['1', 'XAU', 'CURRENCY_UNKNOWN'],
  ])('%s %s is %s', (amount, currency, code) => {
    expect(codeOf(amount, currency, 'POSITIVE')).toBe(code)
  })

  test('from 0 on a sign is refused, even before a zero', () => {
    expect(codeOf('0', 'EUR', 'NOT_NEGATIVE')).toBe('accepted')
    expect(codeOf('-0', 'EUR', 'NOT_NEGATIVE')).toBe('AMOUNT_NEGATIVE')
    expect(codeOf('-1', 'EUR', 'NOT_NEGATIVE')).toBe('AMOUNT_NEGATIVE')
  })

  test('the sentence says what to do and which member is meant', () => {
    expect(readMoney({ amount: '1', currency: 'eur' }, 'POSITIVE')).toEqual({
      ok: false,
      fault: {
        code: 'CURRENCY_UNKNOWN',
        detail: 'Write the currency code in capitals: EUR.',
        member: 'currency',
      },
    })
    expect(readMoney({ amount: '1.5', currency: 'JPY' }, 'POSITIVE')).toEqual({
      ok: false,
      fault: {
        code: 'AMOUNT_TOO_MANY_DECIMALS',
        detail: 'JPY has no decimals; round the amount before you send it.',
        member: 'amount',
      },
    })
  })
})

describe('arithmetic', () => {
  test('0.10 + 0.20 is 0.30, and back', () => {
    expect(addMoney(eur('0.10'), eur('0.20'))).toEqual(eur('0.30'))
    expect(subtractMoney(eur('0.30'), eur('0.20'))).toEqual(eur('0.10'))
    expect(subtractMoney(eur('0.20'), eur('0.30'))).toEqual(eur('-0.10'))
  })

  test('large amounts keep their last cent', () => {
    expect(addMoney(eur('9999999999999.99'), eur('0.01'))).toEqual(eur('10000000000000.00'))
  })

  test('amounts compare as numbers, not as text', () => {
    expect(compareMoney(eur('9.00'), eur('10.00'))).toBe(-1)
    expect(compareMoney(eur('10.00'), eur('9.00'))).toBe(1)
    expect(compareMoney(eur('9.00'), eur('9.00'))).toBe(0)
  })

  test('a share is rounded half to even', () => {
    expect(shareOfMoney(eur('0.05'), 1n, 2n)).toEqual(eur('0.02'))
    expect(shareOfMoney(eur('0.15'), 1n, 2n)).toEqual(eur('0.08'))
    expect(shareOfMoney(eur('100.00'), 19n, 100n)).toEqual(eur('19.00'))
  })

  test('two currencies never mix, and unread amounts are not reckoned with', () => {
    const usd = { amount: '1.00', currency: 'USD' }
    expect(() => addMoney(eur('1.00'), usd)).toThrow(RangeError)
    expect(() => subtractMoney(eur('1.00'), usd)).toThrow(RangeError)
    expect(() => compareMoney(eur('1.00'), usd)).toThrow(RangeError)
    expect(() => minorUnitsOf(eur('1.005'))).toThrow(RangeError)
    expect(() => moneyOf(1n, 'XXX')).toThrow(RangeError)
  })
})
