import { roundedQuotient } from '../../base/decimal.ts'
import type { Fraction } from './period-rate.ts'
import type { Timing } from './terms.ts'

/** One debt and how it is repaid, in whole minor units. */
export interface Repayment {
  readonly financed: bigint
  /** What is left after the last instalment. */
  readonly residual: bigint
  readonly rate: Fraction
  readonly count: number
  readonly timing: Timing
}

export interface Instalment {
  readonly principal: bigint
  readonly interest: bigint
  readonly balanceAfter: bigint
}

export interface Instalments {
  readonly each: readonly Instalment[]
  /** What every instalment but the last comes to; with a single one, that one. */
  readonly level: bigint
  readonly last: bigint
}

/**
 * The level instalment that leaves exactly the residual after the last one, rounded half to even.
 * With q = 1 + i, n instalments, and k = n of them bearing interest (k = n − 1 in ADVANCE):
 *
 *   instalment = i · (financed · qᵏ − residual) / (qⁿ − 1)
 *
 * The powers are exact fractions, so the one rounding is the last step.
 */
export function levelInstalmentOf(repayment: Repayment): bigint {
  const { financed, residual, rate, count, timing } = repayment
  const { numerator, denominator } = rate
  if (numerator === 0n) return roundedQuotient(financed - residual, BigInt(count))
  const growth = numerator + denominator
  const unit = denominator ** BigInt(count)
  const grown = growth ** BigInt(count)
  const weight = timing === 'ADVANCE' ? (grown / growth) * denominator : grown
  return roundedQuotient(
    numerator * (financed * weight - residual * unit),
    denominator * (grown - unit),
  )
}

/** One by one; the last takes the difference, so that exactly the residual is left. */
export function instalmentsOf(repayment: Repayment): Instalments {
  const { financed, residual, rate, count, timing } = repayment
  const level = levelInstalmentOf(repayment)
  const each: Instalment[] = []
  let balance = financed
  let last = level
  for (let no = 1; no <= count; no++) {
    const free = no === 1 && timing === 'ADVANCE'
    const interest = free ? 0n : roundedQuotient(balance * rate.numerator, rate.denominator)
    const principal = no === count ? balance - residual : level - interest
    balance -= principal
    last = principal + interest
    each.push({ principal, interest, balanceAfter: balance })
  }
  return { each, level: count === 1 ? last : level, last }
}

/**
 * Whether rounding left the plan an annuity. Tiny amounts, or long terms at high rates, let half a
 * minor unit per instalment grow until the debt is repaid too early or hardly at all: then a row
 * would be negative, an instalment nothing, or the last one more than twice the others.
 */
export function isEven({ each, level, last }: Instalments): boolean {
  const alike = last > 0n && last <= 2n * level
  return alike && each.every(({ principal }) => principal >= 0n)
}
