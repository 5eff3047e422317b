import { Type } from 'typebox'
import { Text } from '../base/schema.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { Party } from './party.ts'
import { partiesOf } from './store.ts'
import { partyView } from './view.ts'

export const listParties = query({
  id: 'listParties',
  surface: 'operations',
  path: '/parties',
  summary: 'List parties, newest first; q finds names by their beginning.',
  permission: ['party:read', 'party:approve'],
  query: Paged({ q: Type.Optional(Text(200)) }),
  reply: Page(Party),

  async run({ read, caller, query, page }) {
    requireInstantPosition(page)
    const parties = await partiesOf(read, page, query.q)
    return pageOf(
      parties,
      page,
      (party) => [party.createdAt, party.id],
      (party) => partyView(party, caller),
    )
  },
})
