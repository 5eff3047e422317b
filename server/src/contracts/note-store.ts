import { type Caller, type PersonRef, personRefOf } from '../access/caller.ts'
import { newId } from '../base/ids.ts'
import type { PageRequest } from '../http/paging.ts'
import { nothing, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { StoredContract } from './stored-contract.ts'

export interface StoredNote {
  readonly id: string
  readonly text: string
  readonly writtenBy: PersonRef
  readonly writtenAt: string
}

const columns = sql`id, text, written_by as "writtenBy", written_at as "writtenAt"`

export function insertNote(
  tx: Tx,
  contract: StoredContract,
  text: string,
  caller: Caller,
): Promise<StoredNote> {
  return tx.one<StoredNote>(sql`
    insert into contract_note (id, contract_id, party_id, partner_id, text, written_by)
    values (${newId('nte')}, ${contract.id}, ${contract.partyId}, ${contract.partnerId}, ${text},
            ${personRefOf(caller)}::jsonb)
    returning ${columns}`)
}

export function notesOf(read: Read, contractId: string, page: PageRequest): Promise<StoredNote[]> {
  const behind = page.after
    ? sql`and (written_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::text)`
    : nothing
  return read.rows<StoredNote>(sql`
    select ${columns} from contract_note
     where contract_id = ${contractId} ${behind}
     order by written_at desc, id desc
     limit ${page.limit + 1}`)
}
