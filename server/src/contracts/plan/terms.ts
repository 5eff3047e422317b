import type { Money } from '../../base/money.ts'

export const MONTHS_PER_PERIOD = { MONTHLY: 1, QUARTERLY: 3, HALF_YEARLY: 6, YEARLY: 12 } as const

export type Frequency = keyof typeof MONTHS_PER_PERIOD
export type Timing = 'ARREARS' | 'ADVANCE'

export const MIN_TERM_MONTHS = 1
export const MAX_TERM_MONTHS = 600
export const DEFAULT_FREQUENCY: Frequency = 'MONTHLY'
export const DEFAULT_TIMING: Timing = 'ARREARS'

/** What a contract is reckoned from (platform contract, section 6), as written on the wire. */
export interface Terms {
  /** Net of the down payment. */
  readonly financedAmount: Money
  /** Told, not reckoned with. */
  readonly downPayment?: Money
  readonly residualValue?: Money
  readonly nominalRate: string
  readonly termMonths: number
  readonly frequency?: Frequency
  readonly timing?: Timing
  readonly firstDueDate: string
  readonly vatRate?: string
}

/** Terms with their defaults filled in and their money canonical: what is stored and hashed. */
export interface CompleteTerms extends Terms {
  readonly frequency: Frequency
  readonly timing: Timing
}
