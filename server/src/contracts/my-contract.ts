import { type Static, Type } from 'typebox'
import { CalendarDay, Id, Instant, MoneyAmount, OneOf } from '../base/schema.ts'
import { Asset, CONTRACT_TYPES, Terms } from './contract.ts'
import { nextDueDateOf } from './next-due.ts'
import { type ContractState, isTerminal } from './states.ts'
import type { StoredContract } from './stored-contract.ts'

/** What customers read: made from this list alone, so nothing internal can slip in. */
export const MY_STATES = [
  'IN_REVIEW',
  'APPROVED',
  'ACTIVE',
  'SETTLED',
  'TERMINATED',
  'REJECTED',
  'WITHDRAWN',
] as const

export const MyContract = Type.Object({
  id: Id,
  number: Type.String(),
  type: OneOf(CONTRACT_TYPES),
  state: OneOf(MY_STATES),
  version: Type.Integer(),
  asset: Type.Optional(Asset),
  terms: Terms,
  instalment: MoneyAmount,
  totals: Type.Object({
    toPay: MoneyAmount,
    interest: MoneyAmount,
    vat: Type.Optional(MoneyAmount),
  }),
  effectiveRate: Type.String(),
  endDate: CalendarDay,
  nextDueDate: Type.Optional(CalendarDay),
  createdAt: Instant,
})
export type MyContract = Static<typeof MyContract>

export function myContractView(stored: StoredContract, today: string): MyContract {
  const { plan } = stored
  const nextDueDate = isTerminal(stored.state) ? undefined : nextDueDateOf(stored.terms, today)
  return {
    id: stored.id,
    number: stored.number,
    type: stored.type,
    state: myStateOf(stored.state),
    version: stored.version,
    ...(stored.asset !== null && { asset: stored.asset }),
    terms: stored.terms,
    instalment: plan.instalment,
    totals: plan.totals,
    effectiveRate: plan.effectiveRate,
    endDate: plan.endDate,
    ...(nextDueDate !== undefined && { nextDueDate }),
    createdAt: stored.createdAt,
  }
}

/** Drafts are never shown here, so nothing reads as one. */
function myStateOf(state: ContractState): MyContract['state'] {
  return state === 'PENDING_APPROVAL' || state === 'DRAFT' ? 'IN_REVIEW' : state
}
