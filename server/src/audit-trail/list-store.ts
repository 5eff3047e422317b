import type { PageRequest } from '../http/paging.ts'
import { joined, type Statement, sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import type { AuditRecord } from './record.ts'
import { recordColumns } from './record-store.ts'

export interface AuditFilter {
  readonly itemKind?: string | undefined
  readonly itemId?: string | undefined
  readonly subject?: string | undefined
  readonly username?: string | undefined
  readonly action?: string | undefined
  readonly outcome?: 'DONE' | 'REFUSED' | undefined
  readonly code?: string | undefined
  readonly requestId?: string | undefined
  readonly from?: string | undefined
  readonly before?: string | undefined
}

export interface ListedRecord extends AuditRecord {
  /** Null until the sequencer has been there. */
  readonly seq: number | null
  readonly hash: string | null
}

/** Newest first; entries that are not chained yet are there too. */
export function auditRecords(
  read: Read,
  filter: AuditFilter,
  page: PageRequest,
): Promise<ListedRecord[]> {
  const conditions = [sql`true`, ...conditionsOf(filter)]
  if (page.after) {
    const [at, id] = page.after
    conditions.push(sql`(e.at, e.id) < (${at}::timestamptz, ${id}::text)`)
  }
  return read.rows(sql`
    select c.seq, c.hash, ${recordColumns}
      from audit_entry e left join audit_chain c on c.entry_id = e.id
     where ${joined(conditions, ' and ')}
     order by e.at desc, e.id desc
     limit ${page.limit + 1}`)
}

/** Literals: an index over the few refusals is found only where the statement says so itself. */
const OUTCOMES = { DONE: sql`e.outcome = 'DONE'`, REFUSED: sql`e.outcome = 'REFUSED'` } as const

function conditionsOf(filter: AuditFilter): Statement[] {
  const equal: readonly (readonly [Statement, string | undefined])[] = [
    [sql`e.item_kind`, filter.itemKind],
    [sql`e.item_id`, filter.itemId],
    [sql`e.subject`, filter.subject],
    [sql`e.username`, filter.username],
    [sql`e.action`, filter.action],
    [sql`e.code`, filter.code],
    [sql`e.request_id`, filter.requestId],
  ]
  const conditions = equal.flatMap(([column, value]) =>
    value === undefined ? [] : [sql`${column} = ${value}`],
  )
  if (filter.outcome) conditions.push(OUTCOMES[filter.outcome])
  if (filter.from) conditions.push(sql`e.at >= ${filter.from}::timestamptz`)
  if (filter.before) conditions.push(sql`e.at < ${filter.before}::timestamptz`)
  return conditions
}
