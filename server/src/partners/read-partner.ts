import { query } from '../http/route.ts'
import { Partner, PartnerParams } from './partner.ts'
import { partnerById } from './store.ts'
import { partnerView } from './view.ts'

export const readPartner = query({
  id: 'readPartner',
  surface: 'operations',
  path: '/partners/:partner_id',
  summary: 'Read one partner.',
  permission: ['partner:read', 'partner:approve'],
  params: PartnerParams,
  reply: Partner,
  run: async ({ read, caller, params }) =>
    partnerView(await partnerById(read, params.partner_id), caller),
})
