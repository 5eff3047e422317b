import { type Static, Type } from 'typebox'
import { Exact, Id, Instant, OneOf, PersonReference, Text } from '../base/schema.ts'
import { ActionView } from '../http/action.ts'

export const CHANGE_KINDS = [
  'AMENDMENT',
  'SETTLEMENT',
  'TERMINATION',
  'PARTY',
  'PARTNER',
  'UNBLOCK',
  'RESUME',
  'ERASURE',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

export const CHANGE_STATES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN'] as const

export const DiffRowView = Type.Object({
  pointer: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
})

/** Who decided what about exactly which version; the same for contracts, changes and reports. */
export const DecisionView = Type.Object({
  decision: OneOf(['APPROVED', 'REJECTED', 'RETURNED']),
  by: PersonReference,
  at: Instant,
  version: Type.Integer(),
  versionStated: Type.Boolean(),
  contentHash: Type.String(),
  comment: Type.Optional(Type.String()),
})
export type Decision = Static<typeof DecisionView>

export const PreparationView = Type.Object({
  id: Type.String(),
  username: Type.String(),
  at: Instant,
})

/** Every rejection, withdrawal and proposal says why. */
export const Reason = Exact({ reason: Text(1_000) })

export const Change = Type.Object({
  id: Id,
  kind: OneOf(CHANGE_KINDS),
  itemId: Id,
  state: OneOf(CHANGE_STATES),
  baseVersion: Type.Integer(),
  version: Type.Integer(),
  reason: Type.String(),
  withdrawalReason: Type.Optional(Type.String()),
  diff: Type.Array(DiffRowView),
  approval: Type.Object({
    status: OneOf(CHANGE_STATES),
    preparedBy: Type.Array(PreparationView),
    submittedBy: PersonReference,
    submittedAt: Instant,
    contentHash: Type.String(),
    decisions: Type.Array(DecisionView),
  }),
  createdBy: PersonReference,
  createdAt: Instant,
  updatedBy: PersonReference,
  updatedAt: Instant,
  actions: Type.Array(ActionView),
  warnings: Type.Optional(Type.Array(Type.Object({ code: Type.String(), detail: Type.String() }))),
})
export type Change = Static<typeof Change>
