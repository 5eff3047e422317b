import { RATE_UNITS_IN_WHOLE } from '../../base/rates.ts'

/** An exact fraction in lowest terms, denominator above 0. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const MONTHS_PER_YEAR = 12

/** Platform contract, section 6: period rate = rate/100 × months/12 (30/360). */
export function periodRateOf(nominalRate: bigint, monthsPerPeriod: number): Fraction {
  const numerator = nominalRate * BigInt(monthsPerPeriod)
  const denominator = RATE_UNITS_IN_WHOLE * BigInt(MONTHS_PER_YEAR)
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}
