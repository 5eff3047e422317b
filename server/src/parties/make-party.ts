import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { accessErrors } from '../access/errors.ts'
import type { FieldFault } from '../base/errors.ts'
import { changeFact, proposeChange, type StoredChange } from '../changes/index.ts'
import { httpErrors } from '../http/errors.ts'
import type { ChangeFact } from '../http/route.ts'
import type { Tx } from '../storage/tx.ts'
import { type BankAccount, readBankAccount } from './bank-account.ts'
import {
  type NewParty,
  type PartyCreation,
  PERSONAL_POINTERS,
  partyFaultsOf,
  type StoredParty,
} from './party.ts'
import { requireNoDuplicate } from './require-no-duplicate.ts'
import { insertParty, partyById } from './store.ts'

export interface PartyMaker {
  readonly caller: Caller
  readonly today: string
}

export interface MadeParty {
  readonly party: StoredParty
  readonly created: ChangeFact
  /** The bank account that waits for another person, where one was given. */
  readonly proposed: readonly ChangeFact[]
}

/** A new party, by itself or together with its first contract. `at` is where it stands in the body. */
export async function makeParty(
  tx: Tx,
  creation: Static<typeof PartyCreation>,
  { caller, today }: PartyMaker,
  at: '' | '/party' = '',
): Promise<MadeParty> {
  requireUnlinked(caller)
  const { bankAccount, allowDuplicate, ...given } = creation
  const account = requireConsistent(given, bankAccount, { at, today })
  if (allowDuplicate !== true) await requireNoDuplicate(tx, given, caller)
  const inserted = await insertParty(tx, given, caller)
  const change = account && (await proposeAccount(tx, inserted, given, account, caller))
  const party = change ? await partyById(tx, inserted.id) : inserted
  return {
    party,
    created: {
      name: 'party.created',
      item: { id: party.id, version: party.version },
      after: { ...given, displayName: party.displayName },
      personal: { partyId: party.id, pointers: PERSONAL_POINTERS },
    },
    proposed: change ? [changeFact('change.proposed', change, undefined)] : [],
  }
}

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
  { at, today }: { readonly at: string; readonly today: string },
): BankAccount | undefined {
  const read = written && readBankAccount(written, '/bankAccount')
  const errors: FieldFault[] = [
    ...partyFaultsOf(given, today),
    ...(read && 'faults' in read ? read.faults : []),
  ].map((fault) => ({ ...fault, pointer: at + fault.pointer }))
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
): Promise<StoredChange> {
  return proposeChange(tx, {
    kind: 'PARTY',
    itemKind: 'party',
    item: party,
    partyId: party.id,
    partnerId: party.createdByPartner,
    reason: 'Bank account given with the new party.',
    before: {},
    after: { bankAccount },
    proposal: { party: given, bankAccount },
    caller,
  })
}
