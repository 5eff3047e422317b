import { Type } from 'typebox'
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { CloudEvent, cloudEventOf } from './event.ts'
import { eventsAfter } from './store.ts'

export const listEvents = query({
  id: 'listEvents',
  surface: 'operations',
  path: '/events',
  summary: 'Read the event feed: gapless, ordered, from a place on.',
  permission: 'event:read',
  unscopedOnly: true,
  query: Type.Object(
    {
      after: Type.Optional(
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: LARGEST_LIMIT, default: DEFAULT_LIMIT }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.Object({
    items: Type.Array(CloudEvent),
    nextAfter: Type.Integer({
      description: 'the `after` of the next call, also when nothing came',
    }),
  }),
  async run({ read, query }) {
    const after = query.after ?? 0
    const events = await eventsAfter(read, after, query.limit ?? DEFAULT_LIMIT)
    return { items: events.map(cloudEventOf), nextAfter: events.at(-1)?.seq ?? after }
  },
})
