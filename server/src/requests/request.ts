import { type Static, Type } from 'typebox'
import { Exact, Id, Instant, OneOf, Text } from '../base/schema.ts'
import { Address, BankAccount } from '../parties/index.ts'

export const REQUEST_KINDS = ['ADDRESS', 'BANK_ACCOUNT'] as const
export const REQUEST_STATES = ['OPEN', 'IN_REVIEW', 'DONE', 'REFUSED'] as const

/** A wish names what it is about and carries just that. */
export const NewRequest = Exact({
  kind: OneOf(REQUEST_KINDS),
  address: Type.Optional(Address),
  bankAccount: Type.Optional(BankAccount),
  comment: Type.Optional(Text(500)),
})
export type NewRequest = Static<typeof NewRequest>

const shown = {
  id: Id,
  kind: OneOf(REQUEST_KINDS),
  state: OneOf(REQUEST_STATES),
  address: Type.Optional(Address),
  bankAccount: Type.Optional(BankAccount),
  comment: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ description: 'why it was refused' })),
  version: Type.Integer(),
  createdAt: Instant,
  updatedAt: Instant,
}

/** What the customer sees: no names of staff. */
export const MyRequest = Type.Object(shown)
export type MyRequest = Static<typeof MyRequest>
