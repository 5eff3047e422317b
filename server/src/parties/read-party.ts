import { query } from '../http/route.ts'
import { Party, PartyParams } from './party.ts'
import { partyById } from './store.ts'
import { partyView } from './view.ts'

export const readParty = query({
  id: 'readParty',
  surface: 'operations',
  path: '/parties/:party_id',
  summary: 'Read one party.',
  permission: ['party:read', 'party:approve'],
  params: PartyParams,
  reply: Party,
  accessed: ({ id }) => ({ kind: 'party', id, partyId: id }),
  run: async ({ read, caller, params }) =>
    partyView(await partyById(read, params.party_id), caller),
})
