import { Type } from 'typebox'
import { OneOf } from '../base/schema.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { APPROVING, PREPARING } from './permissions.ts'
import { QUEUE_VIEWS, QueueItem } from './queue-item.ts'
import { queueItemsOf } from './queue-items.ts'
import { queuePage } from './queue-store.ts'

export const listApprovals = query({
  id: 'listApprovals',
  surface: 'operations',
  path: '/approvals',
  summary:
    'The work queue: what waits for your decision, what of yours waits, was returned, or you decided.',
  permission: [...APPROVING, ...PREPARING],
  query: Paged({ view: Type.Optional(OneOf(QUEUE_VIEWS, { default: 'decide' })) }),
  reply: Page(QueueItem),

  async run({ read, caller, query, page }) {
    requireInstantPosition(page)
    const places = await queuePage(read, query.view ?? 'decide', caller, page)
    const items = await queueItemsOf(read, caller, places.slice(0, page.limit))
    const { nextCursor } = pageOf(
      places,
      page,
      (place) => [place.since, place.id],
      (place) => place,
    )
    return { items, nextCursor }
  },
})
