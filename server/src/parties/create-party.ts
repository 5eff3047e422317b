import type { Caller } from '../access/caller.ts'
import { accessErrors } from '../access/errors.ts'
import { httpErrors } from '../http/errors.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { NewParty, Party, PERSONAL_POINTERS, partyFaultsOf, partyView } from './party.ts'
import { insertParty } from './store.ts'

export const createParty = command({
  id: 'createParty',
  surface: 'operations',
  method: 'POST',
  path: '/parties',
  summary: 'Create a party: a person or an organisation.',
  permission: 'party:create',
  body: NewParty,
  reply: Party,
  status: 201,

  async run({ tx, caller, body }) {
    requireUnlinked(caller)
    const errors = partyFaultsOf(body)
    if (errors.length > 0) {
      throw httpErrors.VALIDATION_FAILED('The party is not complete or not consistent.', { errors })
    }
    const party = await insertParty(tx, body, caller)
    return {
      reply: partyView(party, caller),
      location: `${API_PREFIX}/parties/${party.id}`,
      event: {
        name: 'party.created',
        item: party,
        after: { ...body, displayName: party.displayName },
        personal: { partyId: party.id, pointers: PERSONAL_POINTERS },
      },
    }
  },
})

/** Which rows exist for a caller linked to a party is settled: a new one would not be among them. */
function requireUnlinked(caller: Caller): void {
  if (caller.partyId === undefined) return
  throw accessErrors.PERMISSION_MISSING('A caller linked to a party creates no parties.', {
    requiredPermission: 'party:create',
  })
}
