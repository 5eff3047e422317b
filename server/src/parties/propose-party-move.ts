import {
  Change,
  type ChangeKind,
  changeErrors,
  changeFact,
  changeView,
  proposeChange,
  Reason,
} from '../changes/index.ts'
import { API_PREFIX, command, type Route } from '../http/route.ts'
import type { Tx } from '../storage/tx.ts'
import { partyActions } from './actions.ts'
import { type Party, PartyParams } from './party.ts'
import { partyChanges } from './party-changes.ts'
import { partyForUpdate } from './store.ts'

interface PartyMove {
  readonly id: string
  readonly action: 'unblock' | 'erase'
  readonly kind: ChangeKind
  readonly to: Party['state']
  readonly summary: string
  readonly check?: (tx: Tx, partyId: string) => Promise<void>
}

/** Lifting a block and erasing differ in what they do, not in how two people decide them. */
export function proposePartyMove({ id, action, kind, to, summary, check }: PartyMove): Route {
  return command({
    id,
    surface: 'operations',
    method: 'POST',
    path: `/parties/:party_id/${action}`,
    summary,
    action: partyActions[action],
    params: PartyParams,
    body: Reason,
    reply: Change,
    status: 202,
    errors: [changeErrors.CHANGE_ALREADY_PENDING],
    load: (tx, params) => partyForUpdate(tx, params.party_id),

    async run({ tx, caller, subject: party, body }) {
      await check?.(tx, party.id)
      const change = await proposeChange(tx, {
        kind,
        itemKind: 'party',
        item: party,
        partyId: party.id,
        partnerId: party.createdByPartner,
        reason: body.reason,
        before: { state: party.state },
        after: { state: to },
        proposal: {},
        caller,
      })
      return {
        reply: changeView(change, partyChanges, caller),
        location: `${API_PREFIX}/parties/${party.id}/changes/${change.id}`,
        event: changeFact('change.proposed', change, body.reason),
      }
    },
  })
}
