import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RATE_UNITS_IN_WHOLE, rateText, readRate } from './rates.ts'

describe('rates in percent per year', () => {
  test.each([
    ['0', 0n],
    ['0.000000', 0n],
    ['4.9', 4_900_000n],
    ['4.90', 4_900_000n],
    ['0.000001', 1n],
    ['99.999999', 99_999_999n],
    ['100', RATE_UNITS_IN_WHOLE],
    ['100.000000', RATE_UNITS_IN_WHOLE],
  ])('%s is accepted', (text, value) => {
    expect(readRate(text)).toEqual({ ok: true, value })
  })

  test.each([
    ['', 'RATE_NOT_DECIMAL'],
    ['4,9', 'RATE_NOT_DECIMAL'],
    ['4.9%', 'RATE_NOT_DECIMAL'],
    ['+4.9', 'RATE_NOT_DECIMAL'],
    ['5e0', 'RATE_NOT_DECIMAL'],
    ['04.9', 'RATE_NOT_DECIMAL'],
    ['4.9000000', 'RATE_TOO_MANY_DECIMALS'],
    ['100.000001', 'RATE_OUT_OF_RANGE'],
    ['101', 'RATE_OUT_OF_RANGE'],
    ['-1', 'RATE_OUT_OF_RANGE'],
    ['-0', 'RATE_OUT_OF_RANGE'],
    ['9'.repeat(200_000), 'RATE_OUT_OF_RANGE'],
  ])('%s is refused', (text, code) => {
    expect(readRate(text)).toMatchObject({ ok: false, fault: { code } })
  })

  test('the shortest text reads back as the same rate', () => {
    expect(['100', '4.9', '0.000001', '0', '10'].map((text) => rateText(unitsOf(text)))).toEqual([
      '100',
      '4.9',
      '0.000001',
      '0',
      '10',
    ])
    fc.assert(
      fc.property(fc.bigInt(0n, RATE_UNITS_IN_WHOLE), (units) => {
        expect(unitsOf(rateText(units))).toBe(units)
      }),
    )
  })
})

function unitsOf(text: string): bigint {
  const read = readRate(text)
  if (!read.ok) throw new Error(read.fault.code)
  return read.value
}
