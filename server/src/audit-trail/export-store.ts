import { sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import type { AccessRow } from './access-row.ts'
import type { AuditRecord, PersonalValue } from './record.ts'
import { recordColumns } from './record-store.ts'

export interface ChainExtent {
  readonly last: number
  /** When this was asked; every checkpoint from before is about an entry up to `last`. */
  readonly at: string
}

export function chainExtent(read: Read): Promise<ChainExtent> {
  return read.one(sql`
    select coalesce(max(seq), 0) as last,
           to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from audit_chain`)
}

export interface ChainedRecord {
  readonly seq: number
  readonly hash: string
  readonly entry: AuditRecord | null
}

/** From the chain to the entries, so that an entry which is gone is noticed. */
export async function chainedRecords(
  read: Read,
  from: number,
  to: number,
): Promise<ChainedRecord[]> {
  const rows = await read.rows<AuditRecord & { seq: number; hash: string; id: string | null }>(sql`
    select c.seq, c.hash, ${recordColumns}
      from audit_chain c left join audit_entry e on e.id = c.entry_id
     where c.seq between ${from} and ${to}
     order by c.seq`)
  return rows.map(({ seq, hash, ...record }) => ({
    seq,
    hash,
    entry: record.id === null ? null : record,
  }))
}

/** What is not erased of the personal values of these entries, by entry. */
export async function personalValuesOf(
  read: Read,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly PersonalValue[]>> {
  const rows = await read.rows<PersonalValue & { entryId: string }>(sql`
    select entry_id as "entryId", pointer, side, salt, value
      from audit_personal_value
     where entry_id = any (${entryIds}::text[])
     order by entry_id, pointer, side`)
  const byEntry = new Map<string, PersonalValue[]>()
  for (const { entryId, ...value } of rows) {
    const known = byEntry.get(entryId)
    if (known === undefined) byEntry.set(entryId, [value])
    else known.push(value)
  }
  return byEntry
}

export function accessBatch(read: Read, batchId: string): Promise<AccessRow[]> {
  return read.rows(sql`
    select party_id as "partyId", item_kind as "itemKind", item_id as "itemId", action, at, surface,
           subject, username, request_id as "requestId"
      from access_log
     where batch_id = ${batchId}
     order by position`)
}
