import { Reason } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { partyActions } from './actions.ts'
import { block } from './life-store.ts'
import { Party, PartyParams } from './party.ts'
import { factOf } from './party-changes.ts'
import { partyForUpdate } from './store.ts'
import { partyView } from './view.ts'

export const blockParty = command({
  id: 'blockParty',
  surface: 'operations',
  method: 'POST',
  path: '/parties/:party_id/block',
  summary: 'Block a party at once: it takes no new contracts. Lifting the block needs two.',
  action: partyActions.block,
  params: PartyParams,
  body: Reason,
  reply: Party,
  load: (tx, params) => partyForUpdate(tx, params.party_id),

  async run({ tx, caller, subject: party, body }) {
    const blocked = await block(tx, party.id, body.reason, caller)
    return {
      reply: partyView(blocked, caller),
      event: factOf('party.blocked', party, blocked, body.reason),
    }
  },
})
