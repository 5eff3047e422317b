import { type Static, Type } from 'typebox'
import { Id, Instant, MoneyAmount, OneOf } from '../base/schema.ts'
import { PreparationView } from '../changes/index.ts'
import { ActionView } from '../http/action.ts'

export const QUEUE_VIEWS = ['decide', 'mine', 'returned', 'decided'] as const
export type QueueView = (typeof QUEUE_VIEWS)[number]

export const QUEUE_KINDS = ['CONTRACT', 'CHANGE', 'REPORT'] as const

/** One piece of work that waits for someone, or waited. */
export const QueueItem = Type.Object({
  kind: OneOf(QUEUE_KINDS),
  id: Id,
  itemId: Id,
  number: Type.Optional(Type.String()),
  title: Type.String(),
  party: Type.Optional(Type.Object({ id: Id, displayName: Type.String() })),
  amount: Type.Optional(MoneyAmount),
  waitingSince: Instant,
  preparedBy: Type.Array(PreparationView),
  version: Type.Integer(),
  own: Type.Boolean({ description: 'you prepared it: it needs another person' }),
  canDecide: Type.Object({
    seen30Days: Type.Integer({
      description: 'others with the permission who were here in the last 30 days',
    }),
    usernames: Type.Optional(Type.Array(Type.String())),
  }),
  actions: Type.Array(ActionView),
})
export type QueueItem = Static<typeof QueueItem>
