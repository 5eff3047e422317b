import { requireParty } from '../access/scope.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { MyRequest } from './request.ts'
import { requestsOfParty } from './store.ts'
import { myRequestView } from './view.ts'

export const listMyRequests = query({
  id: 'listMyRequests',
  surface: 'customer',
  path: '/my/requests',
  summary: 'List what you asked for, newest first, and what became of it.',
  permission: 'my:request',
  query: Paged({}),
  reply: Page(MyRequest),

  async run({ read, caller, page }) {
    requireInstantPosition(page)
    const requests = await requestsOfParty(read, requireParty(caller), page)
    return pageOf(
      requests,
      page,
      (request) => [request.createdAt, request.id],
      (request) => myRequestView(request),
    )
  },
})
