import { describe, expect, test } from 'vitest'
import { CURRENCY_CODES, currencyDecimalsOf } from './currencies.ts'

describe('currencies of ISO 4217', () => {
  test.each([
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['EUR', 2],
    ['USD', 2],
    ['CHF', 2],
    ['HUF', 2],
    ['KWD', 3],
    ['TND', 3],
    ['CLF', 4],
  ])('%s has %d decimals', (code, decimals) => {
    expect(currencyDecimalsOf(code)).toBe(decimals)
  })

  test.each(['XXX', 'XTS', 'XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XSU', 'XUA', 'XBA'])(
    '%s is not for amounts',
    (code) => {
      expect(currencyDecimalsOf(code)).toBeUndefined()
    },
  )

  test.each(['DEM', 'HRK', 'BGN', 'ANG', 'CUC', 'SLL', 'ZWL', 'MRO', 'BYR', 'VEF'])(
    '%s was withdrawn',
    (code) => {
      expect(currencyDecimalsOf(code)).toBeUndefined()
    },
  )

  test.each(['eur', 'EURO', 'EU', '', 'toString', '__proto__'])('%j is no code', (code) => {
    expect(currencyDecimalsOf(code)).toBeUndefined()
  })

  test('tender of the runtime is there, unless withdrawn or without a minor unit', () => {
    const withdrawn = ['ANG', 'BGN', 'CUC', 'HRK', 'SLL', 'ZWL']
    const listed = new Set(CURRENCY_CODES)
    const missing = Intl.supportedValuesOf('currency').filter((code) => !listed.has(code))
    const explained = new Set([...withdrawn, 'XDR', 'XSU', 'XUA'])
    expect(missing.filter((code) => !explained.has(code))).toEqual([])
  })

  test('no code stands there twice or misspelt', () => {
    expect(CURRENCY_CODES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
    expect(CURRENCY_CODES).toHaveLength(165)
  })
})
