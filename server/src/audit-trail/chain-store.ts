import { sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import { type Numbered, takeNext } from './numbering-store.ts'
import type { AuditRecord } from './record.ts'
import { recordColumns } from './record-store.ts'

export interface ChainHead {
  readonly seq: number
  readonly hash: string
}

export interface ChainLink extends ChainHead {
  readonly entryId: string
}

export const auditEntries: Numbered = {
  name: 'audit',
  source: sql`audit_entry e`,
  columns: recordColumns,
  isNumbered: sql`exists (select from audit_chain c where c.entry_id = e.id)`,
}

export const outboxEvents: Numbered = {
  name: 'event',
  source: sql`event e`,
  columns: sql`e.id`,
  isNumbered: sql`exists (select from event_feed f where f.event_id = e.id)`,
}

export function chainHead(read: Read): Promise<ChainHead | undefined> {
  return read.maybeOne(sql`select seq, hash from audit_chain order by seq desc limit 1`)
}

/** Entries in the order in which they will be chained; nobody gets them twice. */
export async function takeEntries(tx: Tx, limit: number): Promise<AuditRecord[]> {
  const rows = await takeNext<AuditRecord & { readonly ordinal: number }>(tx, auditEntries, limit)
  return rows.map(({ ordinal: _, ...record }) => record)
}

export async function insertLinks(tx: Tx, links: readonly ChainLink[]): Promise<void> {
  await tx.run(sql`
    insert into audit_chain (seq, entry_id, hash)
    select * from unnest(${links.map(({ seq }) => seq)}::bigint[],
                         ${links.map(({ entryId }) => entryId)}::text[],
                         ${links.map(({ hash }) => hash)}::text[])`)
}

/** Numbers events as entries are numbered; what they say is nobody's secret, so they need no hash. */
export async function feedEvents(tx: Tx, limit: number): Promise<number> {
  const rows = await takeNext<{ id: string; ordinal: number }>(tx, outboxEvents, limit)
  if (rows.length === 0) return 0
  return tx.run(sql`
    insert into event_feed (seq, event_id)
    select (select coalesce(max(seq), 0) from event_feed) + given.position, given.id
      from unnest(${rows.map(({ id }) => id)}::text[]) with ordinality as given (id, position)
     order by given.position`)
}
