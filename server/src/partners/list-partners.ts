import { Type } from 'typebox'
import { OneOf } from '../base/schema.ts'
import { Page, Paged, pageOf, requireInstantPosition } from '../http/paging.ts'
import { query } from '../http/route.ts'
import { PARTNER_STATES, Partner } from './partner.ts'
import { partnersOf } from './store.ts'
import { partnerView } from './view.ts'

export const listPartners = query({
  id: 'listPartners',
  surface: 'operations',
  path: '/partners',
  summary: 'List partners, newest first.',
  permission: ['partner:read', 'partner:approve'],
  query: Paged({ state: Type.Optional(OneOf(PARTNER_STATES)) }),
  reply: Page(Partner),

  async run({ read, caller, query, page }) {
    requireInstantPosition(page)
    const partners = await partnersOf(read, page, query.state)
    return pageOf(
      partners,
      page,
      (partner) => [partner.createdAt, partner.id],
      (partner) => partnerView(partner, caller),
    )
  },
})
