import { type Static, Type } from 'typebox'
import {
  CalendarDay,
  Exact,
  Id,
  Instant,
  MoneyAmount,
  Nullable,
  OneOf,
  PercentPerYear,
  PersonReference,
  Text,
} from '../base/schema.ts'
import { DecisionView, PreparationView } from '../changes/index.ts'
import { ActionView } from '../http/action.ts'
import { PartyCreation } from '../parties/index.ts'
import { MAX_TERM_MONTHS, MIN_TERM_MONTHS } from './plan/index.ts'
import { CONTRACT_STATES } from './states.ts'

export const CONTRACT_TYPES = ['LOAN', 'HIRE_PURCHASE', 'FINANCE_LEASE', 'OPERATING_LEASE'] as const
export const APPROVAL_STATUSES = [
  'NOT_SUBMITTED',
  'PENDING',
  'APPROVED',
  'REJECTED',
  'RETURNED',
  'WITHDRAWN',
] as const

export const Asset = Exact({
  category: Text(60),
  description: Text(500),
  make: Type.Optional(Text(100)),
  model: Type.Optional(Text(100)),
  serialNumber: Type.Optional(Text(64)),
  price: MoneyAmount,
})

const termMembers = {
  financedAmount: MoneyAmount,
  downPayment: Type.Optional(MoneyAmount),
  residualValue: Type.Optional(MoneyAmount),
  nominalRate: PercentPerYear,
  termMonths: Type.Integer({ minimum: MIN_TERM_MONTHS, maximum: MAX_TERM_MONTHS }),
  frequency: Type.Optional(OneOf(['MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'])),
  timing: Type.Optional(OneOf(['ARREARS', 'ADVANCE'])),
  firstDueDate: CalendarDay,
  vatRate: Type.Optional(PercentPerYear),
}
export const Terms = Exact(termMembers)

/** What a preparer writes: also the document that a merge patch changes. */
const contentMembers = {
  type: OneOf(CONTRACT_TYPES),
  partyId: Id,
  partnerId: Type.Optional(Id),
  externalRef: Type.Optional(Text(64)),
  asset: Type.Optional(Asset),
  terms: Terms,
  commission: Type.Optional(MoneyAmount),
  internalNote: Type.Optional(Text(2_000)),
}
export const ContractContent = Exact(contentMembers)
export type ContractContent = Static<typeof ContractContent>

/** The party is named by `partyId`, or given as `party` and created with the contract. */
export const NewContract = Exact({
  ...contentMembers,
  partyId: Type.Optional(Id),
  party: Type.Optional(PartyCreation),
  draft: Type.Optional(
    Type.Boolean({ description: 'true keeps it a draft; else it is submitted' }),
  ),
})

export type { Decision } from '../changes/index.ts'

export const Contract = Type.Object({
  id: Id,
  number: Type.String(),
  externalRef: Type.Optional(Type.String()),
  type: OneOf(CONTRACT_TYPES),
  state: OneOf(CONTRACT_STATES),
  version: Type.Integer(),
  partyId: Id,
  party: Type.Object({ id: Id, displayName: Type.String() }),
  partnerId: Type.Optional(Id),
  partner: Type.Optional(Type.Object({ id: Id, name: Type.String() })),
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
  activationDate: Type.Optional(CalendarDay),
  effectiveDate: Type.Optional(CalendarDay),
  approval: Type.Object({
    status: OneOf(APPROVAL_STATUSES),
    preparedBy: Type.Array(PreparationView),
    submittedBy: Nullable(PersonReference),
    submittedAt: Nullable(Type.String()),
    contentHash: Type.String(),
    decisions: Type.Array(DecisionView),
  }),
  flags: Type.Array(OneOf(['PARTY_BLOCKED', 'PARTNER_SUSPENDED', 'CHANGE_PENDING'])),
  commission: Type.Optional(MoneyAmount),
  internalNote: Type.Optional(Type.String()),
  createdBy: PersonReference,
  createdAt: Instant,
  updatedBy: PersonReference,
  updatedAt: Instant,
  actions: Type.Array(ActionView),
  warnings: Type.Optional(Type.Array(Type.Object({ code: Type.String(), detail: Type.String() }))),
})
export type Contract = Static<typeof Contract>

export const ContractParams = Type.Object({ contract_id: Type.String() })
