import { decimalText, roundedQuotient } from '../../base/decimal.ts'
import { type Fraction, MONTHS_PER_YEAR } from './period-rate.ts'

/**
 * Money out at once, then `count` payments at the ends of equal periods, all level but the last.
 */
export interface CashFlow {
  readonly outlay: bigint
  readonly level: bigint
  readonly last: bigint
  readonly count: number
  readonly monthsPerPeriod: number
}

export const EFFECTIVE_RATE_DECIMALS = 2

// Binary fixed point instead of floats: the same plan gives the same digits on every machine, which
// the content hash of a contract relies on. 256 bits leave over 100 exact ones in the worst plan.
const BITS = 256n
const ONE = 1n << BITS
const CLOSE_ENOUGH = 1n << (BITS - 128n)
const MAX_STEPS = 100

// A value this near to a tie is the tie: an exact 5.135 % may arrive as 5.13499… of 128 digits.
const SNAP_BITS = 64n

/**
 * The yearly effective rate in percent: (1 + i)^(12/months) − 1, where i is the internal rate of
 * the cash flow per period. `guess` is where the search starts; the nominal rate is a near one.
 */
export function effectiveRateOf(flow: CashFlow, guess: Fraction): string {
  const periodsPerYear = MONTHS_PER_YEAR / flow.monthsPerPeriod
  const yearly = powerOf(ONE + internalRateOf(flow, guess), periodsPerYear) - ONE
  const perHundred = 100n * 10n ** BigInt(EFFECTIVE_RATE_DECIMALS)
  const snapped = roundedQuotient(yearly * perHundred, 1n << (BITS - SNAP_BITS))
  return decimalText(roundedQuotient(snapped, 1n << SNAP_BITS), EFFECTIVE_RATE_DECIMALS)
}

/** Newton's method: the value falls convexly in the rate, so it cannot miss from the left. */
function internalRateOf(flow: CashFlow, guess: Fraction): bigint {
  const paid = flow.level * BigInt(flow.count - 1) + flow.last
  if (paid <= flow.outlay) return 0n
  let rate = ((guess.numerator << BITS) / guess.denominator) | 1n
  for (let step = 0; step < MAX_STEPS; step++) {
    const { excess, slope } = presentValueOf(flow, rate)
    const change = quotientOf(excess, slope)
    // From the right a step may land below 0; halving brings the search to the left of the root.
    const next = change < rate ? rate - change : rate / 2n
    const moved = next > rate ? next - rate : rate - next
    rate = next
    if (moved <= CLOSE_ENOUGH) return rate
  }
  throw new RangeError('The internal rate of a cash flow was not found.')
}

/** Present value of the payments less the outlay at this rate, and its derivative. */
function presentValueOf(flow: CashFlow, rate: bigint): { excess: bigint; slope: bigint } {
  const count = BigInt(flow.count)
  const discount = quotientOf(ONE, ONE + rate)
  const atEnd = powerOf(discount, flow.count)
  const annuity = quotientOf(ONE - atEnd, rate)
  const atEndSlope = -count * productOf(atEnd, discount)
  const annuitySlope = quotientOf(-atEndSlope - annuity, rate)
  const difference = flow.last - flow.level
  return {
    excess: flow.level * annuity + difference * atEnd - (flow.outlay << BITS),
    slope: flow.level * annuitySlope + difference * atEndSlope,
  }
}

function powerOf(base: bigint, exponent: number): bigint {
  let result = ONE
  let square = base
  for (let rest = exponent; rest > 0; rest >>= 1) {
    if (rest & 1) result = productOf(result, square)
    if (rest > 1) square = productOf(square, square)
  }
  return result
}

function productOf(left: bigint, right: bigint): bigint {
  return (left * right) >> BITS
}

function quotientOf(left: bigint, right: bigint): bigint {
  return (left << BITS) / right
}
