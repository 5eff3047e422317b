import { API_PREFIX, command } from '../http/route.ts'
import { partyErrors } from './errors.ts'
import { makeParty } from './make-party.ts'
import { Party, PartyCreation } from './party.ts'
import { partyView } from './view.ts'

export const createParty = command({
  id: 'createParty',
  surface: 'operations',
  method: 'POST',
  path: '/parties',
  summary:
    'Create a party: a person or an organisation. A bank account waits for another user’s approval.',
  permission: 'party:create',
  body: PartyCreation,
  reply: Party,
  status: 201,
  errors: [partyErrors.DUPLICATE_PARTY],

  async run({ tx, caller, body, calendar }) {
    const { party, created, proposed } = await makeParty(tx, body, {
      caller,
      today: calendar.today(),
    })
    return {
      reply: partyView(party, caller),
      location: `${API_PREFIX}/parties/${party.id}`,
      event: created,
      also: proposed,
    }
  },
})
