import { Type } from 'typebox'
import { query } from '../http/route.ts'
import { Party, partyView } from './party.ts'
import { partyById } from './store.ts'

export const readParty = query({
  id: 'readParty',
  surface: 'operations',
  path: '/parties/:party_id',
  summary: 'Read one party.',
  permission: ['party:read', 'party:approve'],
  params: Type.Object({ party_id: Type.String() }),
  reply: Party,
  run: async ({ read, caller, params }) =>
    partyView(await partyById(read, params.party_id), caller),
})
