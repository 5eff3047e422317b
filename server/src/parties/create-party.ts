import type { Caller } from '../access/caller.ts'
import { accessErrors } from '../access/errors.ts'
import type { FieldFault } from '../base/errors.ts'
import { changeFact, proposeChange } from '../changes/index.ts'
import { httpErrors } from '../http/errors.ts'
import { API_PREFIX, command } from '../http/route.ts'
import type { Tx } from '../storage/tx.ts'
import { type BankAccount, maskedAccount, readBankAccount } from './bank-account.ts'
import { partyErrors } from './errors.ts'
import {
  type NewParty,
  Party,
  PartyCreation,
  PERSONAL_POINTERS,
  partyFaultsOf,
  type StoredParty,
} from './party.ts'
import { requireNoDuplicate } from './require-no-duplicate.ts'
import { insertParty, partyById } from './store.ts'
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

  async run({ tx, caller, body }) {
    requireUnlinked(caller)
    const { bankAccount, allowDuplicate, ...given } = body
    const account = requireConsistent(given, bankAccount)
    if (allowDuplicate !== true) await requireNoDuplicate(tx, given)
    const created = await insertParty(tx, given, caller)
    const change = account && (await proposeAccount(tx, created, given, account, caller))
    const party = change ? await partyById(tx, created.id) : created
    return {
      reply: partyView(party, caller),
      location: `${API_PREFIX}/parties/${party.id}`,
      event: {
        name: 'party.created',
        item: party,
        after: { ...given, displayName: party.displayName },
        personal: { partyId: party.id, pointers: PERSONAL_POINTERS },
      },
      ...(change && { also: [changeFact('change.proposed', change, undefined)] }),
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

function requireConsistent(
  given: NewParty,
  written: BankAccount | undefined,
): BankAccount | undefined {
  const read = written && readBankAccount(written, '/bankAccount')
  const errors: FieldFault[] = [
    ...partyFaultsOf(given),
    ...(read && 'faults' in read ? read.faults : []),
  ]
  if (errors.length > 0) {
    throw httpErrors.VALIDATION_FAILED('The party is not complete or not consistent.', { errors })
  }
  return read && 'account' in read ? read.account : undefined
}

/** Where money goes is decided by two, from the first day on. */
function proposeAccount(
  tx: Tx,
  party: StoredParty,
  given: NewParty,
  bankAccount: BankAccount,
  caller: Caller,
) {
  return proposeChange(tx, {
    kind: 'PARTY',
    itemKind: 'party',
    item: party,
    partyId: party.id,
    partnerId: party.createdByPartner,
    reason: `Bank account ${maskedAccount(bankAccount).iban} given with the new party.`,
    before: {},
    after: { bankAccount },
    proposal: { party: given, bankAccount },
    caller,
  })
}
