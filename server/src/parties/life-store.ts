import { type Caller, personRefOf } from '../access/caller.ts'
import { folded } from '../base/folded.ts'
import { type Statement, sql } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'
import type { BankAccount } from './bank-account.ts'
import { displayNameOf, type NewParty, type StoredParty } from './party.ts'
import { familyOf, partyById } from './store.ts'

export interface CarriedOut {
  readonly changeId: string
  readonly caller: Caller
}

export interface PartyData {
  readonly given: NewParty
  readonly bankAccount: BankAccount | null
}

const ERASED_NAME = '–'

function touchedBy(caller: Caller): Statement {
  return sql`version = version + 1, updated_by = ${personRefOf(caller)}::jsonb,
             updated_at = clock_timestamp()`
}

/** Puts an approved change in force. */
export async function restate(
  tx: Tx,
  id: string,
  { given, bankAccount }: PartyData,
  { changeId, caller }: CarriedOut,
): Promise<StoredParty> {
  const displayName = displayNameOf(given)
  await tx.run(sql`
    update party
       set type = ${given.type}, person = ${given.person ?? null}::jsonb,
           organisation = ${given.organisation ?? null}::jsonb,
           display_name = ${displayName}, name_folded = ${folded(displayName)},
           family_folded = ${familyOf(given)}, email = ${given.email ?? null},
           phone = ${given.phone ?? null}, address = ${given.address ?? null}::jsonb,
           language = ${given.language ?? null}, external_ref = ${given.externalRef ?? null},
           bank_account = ${bankAccount}::jsonb, change_id = ${changeId}, ${touchedBy(caller)}
     where id = ${id}`)
  return await partyById(tx, id)
}

/** What needs no second person: how to write to a party, and how others call it. */
export async function restatePlain(
  tx: Tx,
  id: string,
  { language, externalRef }: NewParty,
  caller: Caller,
): Promise<StoredParty> {
  await tx.run(sql`
    update party
       set language = ${language ?? null}, external_ref = ${externalRef ?? null}, ${touchedBy(caller)}
     where id = ${id}`)
  return await partyById(tx, id)
}

export async function block(
  tx: Tx,
  id: string,
  reason: string,
  caller: Caller,
): Promise<StoredParty> {
  await tx.run(sql`
    update party set state = 'BLOCKED', block_reason = ${reason}, ${touchedBy(caller)}
     where id = ${id}`)
  return await partyById(tx, id)
}

export async function unblock(
  tx: Tx,
  id: string,
  { changeId, caller }: CarriedOut,
): Promise<StoredParty> {
  await tx.run(sql`
    update party
       set state = 'ACTIVE', block_reason = null, change_id = ${changeId}, ${touchedBy(caller)}
     where id = ${id}`)
  return await partyById(tx, id)
}

/** The row stays, so that contracts keep their party; what it says of a person goes. */
export async function erase(
  tx: Tx,
  id: string,
  { changeId, caller }: CarriedOut,
): Promise<StoredParty> {
  await tx.run(sql`
    update party
       set state = 'ERASED', display_name = ${ERASED_NAME}, name_folded = ${ERASED_NAME},
           family_folded = null,
           person = case when type = 'PERSON'
                         then jsonb_build_object('firstName', ${ERASED_NAME}::text,
                                                 'lastName', ${ERASED_NAME}::text) end,
           organisation = case when type = 'ORGANISATION'
                               then jsonb_build_object('name', ${ERASED_NAME}::text) end,
           email = null, phone = null, address = null, bank_account = null, language = null,
           external_ref = null, block_reason = null, change_id = ${changeId}, ${touchedBy(caller)}
     where id = ${id}`)
  return await partyById(tx, id)
}
