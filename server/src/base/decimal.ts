/** A decimal as it was written, taken apart but not yet judged. */
export interface WrittenDecimal {
  readonly negative: boolean
  readonly whole: string
  readonly fraction: string
}

// Plain notation: no plus, no exponent, no leading zeros, digits on both sides of the point.
const PLAIN = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

export function writtenDecimalOf(text: string): WrittenDecimal | undefined {
  const match = PLAIN.exec(text)
  if (match === null) return undefined
  return { negative: match[1] === '-', whole: match[2] as string, fraction: match[3] ?? '' }
}

/** Digits that carry value: zeros that only pad the fraction do not count. */
export function digitsOf({ whole, fraction }: WrittenDecimal): number {
  let end = fraction.length
  while (end > 0 && fraction.charCodeAt(end - 1) === 48) end--
  return whole.length + end
}

/** The decimal in whole units of its last place. The fraction is not longer than `decimals`. */
export function unitsOf(written: WrittenDecimal, decimals: number): bigint {
  const units = BigInt(written.whole + written.fraction.padEnd(decimals, '0'))
  return written.negative ? -units : units
}

/** 1250 units with 2 decimals read "12.50". */
export function decimalText(units: bigint, decimals: number): string {
  if (units < 0n) return `-${decimalText(-units, decimals)}`
  const digits = units.toString()
  if (decimals === 0) return digits
  const point = digits.length - decimals
  if (point <= 0) return `0.${digits.padStart(decimals, '0')}`
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Exact division, rounded half to even (platform contract, section 6). The divisor is above 0. */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -roundedQuotient(-dividend, divisor)
  const quotient = dividend / divisor
  // Cheaper than a second division, and this runs for every row of every plan.
  const twice = 2n * (dividend - quotient * divisor)
  if (twice < divisor || (twice === divisor && quotient % 2n === 0n)) return quotient
  return quotient + 1n
}
