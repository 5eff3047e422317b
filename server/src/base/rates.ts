import { decimalText, unitsOf, writtenDecimalOf } from './decimal.ts'
import { accepted, type Fault, type Outcome, refused } from './fault.ts'

export type RateFaultCode = 'RATE_NOT_DECIMAL' | 'RATE_TOO_MANY_DECIMALS' | 'RATE_OUT_OF_RANGE'

export const RATE_DECIMALS = 6
export const MAX_RATE_PERCENT = 100

/** Millionths of a percent in one whole, i.e. in 100 percent. */
export const RATE_UNITS_IN_WHOLE: bigint = 100n * 10n ** BigInt(RATE_DECIMALS)

/**
 * A rate in percent per year, 0 to 100, up to 6 decimals, as whole millionths of a percent. The
 * text itself is kept as it was written: every accepted text is plain, and "4.90" stays "4.90".
 */
export function readRate(text: string): Outcome<bigint, Fault<RateFaultCode>> {
  const decimal = writtenDecimalOf(text)
  if (decimal === undefined) {
    const form = 'no percent sign, no exponent, no leading zeros'
    const detail = `Write the rate as a plain decimal string in percent, such as "4.9": ${form}.`
    return refused({ code: 'RATE_NOT_DECIMAL', detail })
  }
  if (decimal.fraction.length > RATE_DECIMALS) {
    const detail = `A rate has at most ${RATE_DECIMALS} decimals; round it before you send it.`
    return refused({ code: 'RATE_TOO_MANY_DECIMALS', detail })
  }
  const tooLong = decimal.whole.length > String(MAX_RATE_PERCENT).length
  const units = tooLong ? RATE_UNITS_IN_WHOLE + 1n : unitsOf(decimal, RATE_DECIMALS)
  if (decimal.negative || units > RATE_UNITS_IN_WHOLE) {
    const detail = `Send a rate from 0 to ${MAX_RATE_PERCENT} percent.`
    return refused({ code: 'RATE_OUT_OF_RANGE', detail })
  }
  return accepted(units)
}

/** The shortest text of a rate: 4900000 millionths of a percent read "4.9". */
export function rateText(units: bigint): string {
  return decimalText(units, RATE_DECIMALS).replace(/\.?0+$/, '')
}
