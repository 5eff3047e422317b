import { Type } from 'typebox'
import { Exact, Text } from '../base/schema.ts'
import { Change, changeErrors, changeFact, changeView, proposeChange } from '../changes/index.ts'
import { API_PREFIX, command } from '../http/route.ts'
import { partyActions } from './actions.ts'
import { comparedOf, editedParty, isPlainEdit } from './edited-party.ts'
import { restatePlain } from './life-store.ts'
import { NewParty, Party, PartyParams } from './party.ts'
import { factOf, partyChanges } from './party-changes.ts'
import { partyForUpdate } from './store.ts'
import { partyView } from './view.ts'

/** Any member of the party may be given; null takes an optional one away (RFC 7396). */
const PartyPatch = Exact(
  {
    ...Object.fromEntries(
      [...Object.keys(NewParty.properties), 'bankAccount'].map((name) => [
        name,
        Type.Optional(Type.Unknown()),
      ]),
    ),
    reason: Type.Optional(Text(1_000)),
  },
  { minProperties: 1, description: 'JSON Merge Patch of the party, and why' },
)

export const editParty = command({
  id: 'editParty',
  surface: 'operations',
  method: 'PATCH',
  path: '/parties/:party_id',
  summary:
    'Change a party by JSON Merge Patch. Name, address, e-mail, phone and bank account become one change that another user approves (202).',
  action: partyActions.edit,
  params: PartyParams,
  body: PartyPatch,
  reply: Type.Union([Change, Party]),
  versionRequired: true,
  errors: [changeErrors.CHANGE_ALREADY_PENDING],
  load: (tx, params) => partyForUpdate(tx, params.party_id),

  async run({ tx, caller, subject: party, body, calendar }) {
    const { reason: given, ...patch } = body as { reason?: string }
    const edited = editedParty(party, patch, calendar.today())
    if (isPlainEdit(party, edited)) {
      const after = await restatePlain(tx, party.id, edited.given, caller)
      return { reply: partyView(after, caller), event: factOf('party.edited', party, after, given) }
    }
    const reason = given ?? 'Changed data of the party.'
    const change = await proposeChange(tx, {
      kind: 'PARTY',
      itemKind: 'party',
      item: party,
      partyId: party.id,
      partnerId: party.createdByPartner,
      reason,
      before: comparedOf(party),
      after: { ...edited.given, bankAccount: edited.bankAccount ?? undefined },
      proposal: { party: edited.given, bankAccount: edited.bankAccount },
      caller,
    })
    return {
      status: 202,
      reply: changeView(change, partyChanges, caller),
      location: `${API_PREFIX}/parties/${party.id}/changes/${change.id}`,
      event: changeFact('change.proposed', change, reason),
    }
  },
})
