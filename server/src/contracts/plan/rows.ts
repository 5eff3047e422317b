import { addMonths, dateText } from '../../base/dates.ts'
import {
  addMoney,
  type Money,
  minorUnitsOf,
  moneyIn,
  moneyOf,
  shareOfMoney,
} from '../../base/money.ts'
import { RATE_UNITS_IN_WHOLE } from '../../base/rates.ts'
import type { Figures } from './read-terms.ts'
import type { Instalments } from './repayment.ts'

export interface PlanRow {
  readonly no: number
  readonly dueDate: string
  readonly principal: Money
  readonly interest: Money
  readonly total: Money
  readonly vat?: Money
  readonly gross?: Money
  readonly balanceAfter: Money
}

export interface Totals {
  readonly toPay: Money
  readonly interest: Money
  readonly vat?: Money
}

/** What one row asks for. All rows but the last ask for the same: it is worked out only twice. */
interface Payment {
  readonly total: Money
  readonly tax?: { readonly vat: Money; readonly gross: Money }
}

export interface Payments {
  readonly level: Payment
  readonly last: Payment
}

export function paymentsOf({ level, last }: Instalments, figures: Figures): Payments {
  const { currency, vatRate } = figures
  const paymentOf = (amount: bigint): Payment => {
    const total = moneyOf(amount, currency)
    if (vatRate === undefined) return { total }
    const vat = shareOfMoney(total, vatRate, RATE_UNITS_IN_WHOLE)
    return { total, tax: { vat, gross: addMoney(total, vat) } }
  }
  return { level: paymentOf(level), last: paymentOf(last) }
}

export function rowsOf({ each }: Instalments, payments: Payments, figures: Figures): PlanRow[] {
  const { currency, firstDue, monthsPerPeriod } = figures
  const money = moneyIn(currency)
  return each.map((instalment, index): PlanRow => {
    const no = index + 1
    const dueDate = dateText(addMonths(firstDue, index * monthsPerPeriod))
    const principal = money(instalment.principal)
    const interest = money(instalment.interest)
    const balanceAfter = money(instalment.balanceAfter)
    const { total, tax } = no < each.length ? payments.level : payments.last
    // Two literals instead of spreads: a plan has up to 600 rows and is made on every read.
    if (tax === undefined) return { no, dueDate, principal, interest, total, balanceAfter }
    const { vat, gross } = tax
    return { no, dueDate, principal, interest, total, vat, gross, balanceAfter }
  })
}

export function totalsOf(
  { each, level, last }: Instalments,
  payments: Payments,
  { financed, residual, currency }: Figures,
): Totals {
  const levelRows = BigInt(each.length - 1)
  const toPay = level * levelRows + last
  const totals = {
    toPay: moneyOf(toPay, currency),
    interest: moneyOf(toPay - (financed - residual), currency),
  }
  const [levelTax, lastTax] = [payments.level.tax, payments.last.tax]
  if (levelTax === undefined || lastTax === undefined) return totals
  const vat = minorUnitsOf(levelTax.vat) * levelRows + minorUnitsOf(lastTax.vat)
  return { ...totals, vat: moneyOf(vat, currency) }
}
