import { currencyDecimalsOf } from './currencies.ts'
import {
  decimalText,
  digitsOf,
  roundedQuotient,
  unitsOf,
  type WrittenDecimal,
  writtenDecimalOf,
} from './decimal.ts'
import { accepted, type Fault, type Outcome, refused } from './fault.ts'

/**
 * An exact amount: `{"amount":"12500.00","currency":"EUR"}`. Canonical money always carries exactly
 * the decimals of its currency. Arithmetic runs in whole minor units, never in floats.
 */
export interface Money {
  readonly amount: string
  readonly currency: string
}

/** Which amounts a field takes: above 0, from 0, or signed ones as well. */
export type AmountRange = 'POSITIVE' | 'NOT_NEGATIVE' | 'SIGNED'

export type MoneyFaultCode =
  | 'AMOUNT_NOT_DECIMAL'
  | 'AMOUNT_TOO_MANY_DECIMALS'
  | 'AMOUNT_TOO_LARGE'
  | 'AMOUNT_NOT_POSITIVE'
  | 'AMOUNT_NEGATIVE'
  | 'CURRENCY_UNKNOWN'

export interface MoneyFault extends Fault<MoneyFaultCode> {
  /** Which member of the money is wrong, for the pointer. */
  readonly member: 'amount' | 'currency'
}

/**
 * As many digits as every reader keeps, even one that holds numbers in doubles. Zeros that only pad
 * the fraction are free, so that canonical output is always accepted again.
 */
export const MAX_AMOUNT_DIGITS = 15

export function readMoney(written: Money, range: AmountRange): Outcome<Money, MoneyFault> {
  const decimals = currencyDecimalsOf(written.currency)
  if (decimals === undefined) return refused(unknownCurrency(written.currency))
  const decimal = writtenDecimalOf(written.amount)
  if (decimal === undefined) {
    const example = decimalText(1250n * 10n ** BigInt(decimals), decimals)
    const form = 'digits and a point, no exponent, no thousands separator, no leading zeros'
    const detail = `Write the amount as a plain decimal string such as "${example}": ${form}.`
    return refused(amountFault('AMOUNT_NOT_DECIMAL', detail))
  }
  const fault = amountFaultOf(decimal, decimals, written.currency, range)
  if (fault !== undefined) return refused(fault)
  return accepted(moneyOf(unitsOf(decimal, decimals), written.currency))
}

/** Money from whole minor units; the currency is a known one. */
export function moneyOf(minorUnits: bigint, currency: string): Money {
  return moneyIn(currency)(minorUnits)
}

/** `moneyOf` for many amounts of one currency. */
export function moneyIn(currency: string): (minorUnits: bigint) => Money {
  const decimals = requireDecimals(currency)
  return (minorUnits) => ({ amount: decimalText(minorUnits, decimals), currency })
}

/** The minor units of canonical money. */
export function minorUnitsOf(money: Money): bigint {
  const decimals = requireDecimals(money.currency)
  const decimal = writtenDecimalOf(money.amount)
  if (decimal === undefined || decimal.fraction.length > decimals) {
    throw new RangeError('Amounts are read by readMoney before they are reckoned with.')
  }
  return unitsOf(decimal, decimals)
}

export function addMoney(left: Money, right: Money): Money {
  requireSameCurrency(left, right)
  return moneyOf(minorUnitsOf(left) + minorUnitsOf(right), left.currency)
}

export function subtractMoney(left: Money, right: Money): Money {
  requireSameCurrency(left, right)
  return moneyOf(minorUnitsOf(left) - minorUnitsOf(right), left.currency)
}

/** Below 0 when left is smaller, 0 when equal, above 0 when left is larger. */
export function compareMoney(left: Money, right: Money): -1 | 0 | 1 {
  requireSameCurrency(left, right)
  const difference = minorUnitsOf(left) - minorUnitsOf(right)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The money times an exact fraction, rounded half to even to the minor unit. */
export function shareOfMoney(money: Money, numerator: bigint, denominator: bigint): Money {
  return moneyOf(roundedQuotient(minorUnitsOf(money) * numerator, denominator), money.currency)
}

function amountFaultOf(
  decimal: WrittenDecimal,
  decimals: number,
  currency: string,
  range: AmountRange,
): MoneyFault | undefined {
  if (decimal.fraction.length > decimals) {
    const allowed = decimals === 0 ? 'no decimals' : `at most ${decimals} decimals`
    const detail = `${currency} has ${allowed}; round the amount before you send it.`
    return amountFault('AMOUNT_TOO_MANY_DECIMALS', detail)
  }
  if (digitsOf(decimal) > MAX_AMOUNT_DIGITS) {
    const detail = `An amount has at most ${MAX_AMOUNT_DIGITS} digits; send a smaller one.`
    return amountFault('AMOUNT_TOO_LARGE', detail)
  }
  if (range === 'POSITIVE' && (decimal.negative || isZero(decimal))) {
    return amountFault('AMOUNT_NOT_POSITIVE', 'Send an amount above 0.')
  }
  if (range === 'NOT_NEGATIVE' && decimal.negative) {
    return amountFault('AMOUNT_NEGATIVE', 'Send an amount without a sign, 0 or more.')
  }
  return undefined
}

function isZero({ whole, fraction }: WrittenDecimal): boolean {
  return whole === '0' && /^0*$/.test(fraction)
}

function amountFault(code: MoneyFaultCode, detail: string): MoneyFault {
  return { code, detail, member: 'amount' }
}

function unknownCurrency(code: string): MoneyFault {
  const upper = code.toUpperCase()
  const detail =
    currencyDecimalsOf(upper) === undefined
      ? 'Use the three-letter code of an active ISO 4217 currency, such as EUR.'
      : `Write the currency code in capitals: ${upper}.`
  return { code: 'CURRENCY_UNKNOWN', detail, member: 'currency' }
}

function requireDecimals(currency: string): number {
  const decimals = currencyDecimalsOf(currency)
  if (decimals === undefined) throw new RangeError('Money is in an active ISO 4217 currency.')
  return decimals
}

function requireSameCurrency(left: Money, right: Money): void {
  if (left.currency !== right.currency) {
    throw new RangeError('Money of two currencies cannot be added, subtracted or compared.')
  }
}
