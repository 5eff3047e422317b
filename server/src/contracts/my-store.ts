import { fail } from '../base/errors.ts'
import type { PageRequest } from '../http/paging.ts'
import { nothing, sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import { contractColumns, contractTables, noSuchContract } from './store.ts'
import type { StoredContract } from './stored-contract.ts'

/** Contracts of one party in every state but DRAFT, newest first. */
export function contractsOfParty(
  read: Read,
  partyId: string,
  page: PageRequest,
): Promise<StoredContract[]> {
  const behind = page.after
    ? sql`and (c.created_at, c.id) < (${page.after[0]}::timestamptz, ${page.after[1]}::text)`
    : nothing
  return read.rows(sql`
    select ${contractColumns}
      from ${contractTables}
     where c.party_id = ${partyId} and c.state <> 'DRAFT' ${behind}
     order by c.created_at desc, c.id desc
     limit ${page.limit + 1}`)
}

export async function contractOfParty(
  read: Read,
  partyId: string,
  id: string,
): Promise<StoredContract> {
  const found = await read.maybeOne<StoredContract>(sql`
    select ${contractColumns}
      from ${contractTables}
     where c.id = ${id} and c.party_id = ${partyId} and c.state <> 'DRAFT'`)
  return found ?? fail(noSuchContract())
}
