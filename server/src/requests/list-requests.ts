import { Type } from 'typebox'
import { OneOf } from '../base/schema.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { StaffRequest } from './staff-request.ts'
import { requestsOf } from './store.ts'
import { staffRequestView } from './view.ts'

export const listRequests = query({
  id: 'listRequests',
  surface: 'operations',
  path: '/requests',
  summary: 'List what customers asked for, oldest first.',
  permission: 'party:read',
  unscopedOnly: true,
  query: Paged({ state: Type.Optional(OneOf(['OPEN', 'ACCEPTED', 'DECLINED'])) }),
  reply: Page(StaffRequest),

  async run({ read, caller, query, page }) {
    requireInstantPosition(page)
    const requests = await requestsOf(read, page, query.state)
    return pageOf(
      requests,
      page,
      (request) => [request.createdAt, request.id],
      (request) => staffRequestView(request, caller),
    )
  },
})
