import type { Carrier, ChangeResource, StoredChange } from '../changes/index.ts'
import type { ChangeFact } from '../http/route.ts'
import { erasePersonalValues } from '../storage/audit.ts'
import type { Tx } from '../storage/tx.ts'
import { type BankAccount, maskedAccount } from './bank-account.ts'
import { requireErasable } from './erasable.ts'
import { forgetWhatWasSaid } from './erasure-store.ts'
import { type CarriedOut, erase, restate, unblock } from './life-store.ts'
import { type NewParty, PERSONAL_POINTERS, type StoredParty } from './party.ts'
import { partyById, partyForUpdate } from './store.ts'

/** What an approved change of kind PARTY puts in force. */
export interface PartyProposal {
  readonly party: NewParty
  readonly bankAccount: BankAccount | null
}

/** Changes of parties: of their data, of a block, and their erasure. */
export const partyChanges: ChangeResource = {
  itemKind: 'party',
  path: '/parties',
  itemParam: 'party_id',
  name: 'Party',
  readPermission: ['party:read', 'party:approve'],
  approvePermission: 'party:approve',
  preparePermission: ['party:update', 'party:erase', 'party:create'],
  // An erasure ends what contracts of any partner may still need.
  houseOnly: ['ERASURE'],
  readItem: partyById,
  lockItem: partyForUpdate,
  carryOut,
}

async function carryOut(tx: Tx, approved: StoredChange, { caller }: Carrier): Promise<ChangeFact> {
  const party = await partyForUpdate(tx, approved.itemId)
  const by = { changeId: approved.id, caller }
  switch (approved.kind) {
    case 'UNBLOCK':
      return factOf('party.unblocked', party, await unblock(tx, party.id, by))
    case 'ERASURE':
      return await eraseParty(tx, party, by)
    default: {
      const { party: given, bankAccount } = approved.proposal as unknown as PartyProposal
      return factOf('party.changed', party, await restate(tx, party.id, { given, bankAccount }, by))
    }
  }
}

/** The entry says that it happened; what the party was called is nowhere any more. */
async function eraseParty(tx: Tx, party: StoredParty, by: CarriedOut): Promise<ChangeFact> {
  await requireErasable(tx, party.id)
  const erased = await erase(tx, party.id, by)
  await erasePersonalValues(tx, party.id)
  await forgetWhatWasSaid(tx, party.id)
  return {
    name: 'party.erased',
    item: { id: erased.id, version: erased.version },
    before: { state: party.state },
    after: { state: erased.state },
  }
}

/** What a party says of a person stands in the entry as hashes; the values lie apart, the IBAN masked. */
export function factOf(
  name: `party.${string}`,
  before: StoredParty,
  after: StoredParty,
  reason?: string,
): ChangeFact {
  return {
    name,
    item: { id: after.id, version: after.version },
    before: auditedOf(before),
    after: { ...auditedOf(after), ...(reason !== undefined && { reason }) },
    personal: { partyId: after.id, pointers: PERSONAL_POINTERS },
  }
}

function auditedOf(party: StoredParty): object {
  const { preparers: _, createdByPartner: __, createdBy: ___, updatedBy: ____, ...rest } = party
  const { createdAt: _____, updatedAt: ______, pendingChanges: _______, ...audited } = rest
  const { bankAccount } = audited
  return { ...audited, ...(bankAccount && { bankAccount: maskedAccount(bankAccount) }) }
}
