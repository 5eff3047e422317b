import { type Static, Type } from 'typebox'
import type { PersonRef } from '../access/caller.ts'
import { Exact, Id, Instant, Nullable, OneOf, PersonReference, Text } from '../base/schema.ts'
import { CHANGE_KINDS } from '../changes/index.ts'
import { ActionView } from '../http/action.ts'
import { BankAccount } from '../parties/index.ts'

export const PARTNER_KINDS = ['DEALER', 'BROKER', 'VENDOR'] as const
export const PARTNER_STATES = ['ACTIVE', 'SUSPENDED'] as const

const Code = Type.String({
  pattern: '^[A-Z0-9][A-Z0-9-]{1,31}$',
  description: 'a code such as NORDAUTO: capital letters, digits and hyphens',
})

export const NewPartner = Exact({
  code: Code,
  name: Text(200),
  kind: OneOf(PARTNER_KINDS),
  bankAccount: Type.Optional(BankAccount),
})
export type NewPartner = Static<typeof NewPartner>

export const Partner = Type.Object({
  id: Id,
  code: Type.String(),
  name: Type.String(),
  kind: OneOf(PARTNER_KINDS),
  state: OneOf(PARTNER_STATES),
  bankAccount: Type.Optional(BankAccount),
  version: Type.Integer(),
  createdBy: Nullable(PersonReference),
  createdAt: Instant,
  updatedBy: Nullable(PersonReference),
  updatedAt: Instant,
  pendingChanges: Type.Array(Type.Object({ id: Id, kind: OneOf(CHANGE_KINDS) })),
  actions: Type.Array(ActionView),
})
export type Partner = Static<typeof Partner>

export const PartnerParams = Type.Object({ partner_id: Type.String() })

export interface StoredPartner {
  readonly id: string
  readonly code: string
  readonly name: string
  readonly kind: (typeof PARTNER_KINDS)[number]
  readonly state: (typeof PARTNER_STATES)[number]
  readonly bankAccount: BankAccount | null
  readonly version: number
  readonly createdBy: PersonRef | null
  readonly createdAt: string
  readonly updatedBy: PersonRef | null
  readonly updatedAt: string
  readonly pendingChanges: Partner['pendingChanges']
}
