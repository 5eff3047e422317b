import type { Caller } from '../access/caller.ts'
import { folded } from '../base/folded.ts'
import type { PageRequest } from '../http/paging.ts'
import { partyNamed } from '../parties/index.ts'
import { joined, type Statement, sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import type { SortKey } from './list-sort.ts'
import { contractColumns, contractTables } from './store.ts'
import type { StoredContract } from './stored-contract.ts'

export interface ContractFilter {
  readonly states?: readonly string[]
  readonly partyId?: string | undefined
  readonly partnerId?: string | undefined
  readonly type?: string | undefined
  readonly preparedBy?: string | undefined
  readonly createdFrom?: string | undefined
  readonly createdBefore?: string | undefined
  readonly q?: string | undefined
}

const HIGHEST = '\u{10FFFF}'
const PERSON_ID = /^[0-9a-f]{16}$/

const SORT_COLUMNS: Readonly<Record<SortKey, { column: Statement; cast: Statement }>> = {
  createdAt: { column: sql`c.created_at`, cast: sql`::timestamptz` },
  number: { column: sql`c.number`, cast: sql`::text` },
  financedAmount: { column: sql`c.financed_amount`, cast: sql`::numeric` },
  firstDueDate: { column: sql`c.first_due_date`, cast: sql`::date` },
}

export interface ContractOrder {
  readonly key: SortKey
  readonly descending: boolean
}

/** Keyset paging: the page after the thousandth costs what the first one costs. */
export function contractsOf(
  read: Read,
  caller: Caller,
  filter: ContractFilter,
  order: ContractOrder,
  page: PageRequest,
): Promise<StoredContract[]> {
  const { column, cast } = SORT_COLUMNS[order.key]
  const conditions = [sql`true`, ...scopeConditions(caller), ...filterConditions(filter)]
  if (page.after) {
    const [value, id] = page.after
    conditions.push(
      order.descending
        ? sql`(${column}, c.id) < (${value}${cast}, ${id}::text)`
        : sql`(${column}, c.id) > (${value}${cast}, ${id}::text)`,
    )
  }
  const direction = order.descending ? sql`desc` : sql`asc`
  return read.rows(sql`
    select ${contractColumns}
      from ${contractTables}
     where ${joined(conditions, ' and ')}
     order by ${column} ${direction}, c.id ${direction}
     limit ${page.limit + 1}`)
}

/** The policy holds by itself; saying it again lets the index be used. */
function scopeConditions({ partyId, partnerId }: Caller): Statement[] {
  return [
    ...(partyId === undefined ? [] : [sql`c.party_id = ${partyId}`]),
    ...(partnerId === undefined ? [] : [sql`c.partner_id = ${partnerId}`]),
  ]
}

function filterConditions(filter: ContractFilter): Statement[] {
  const conditions: Statement[] = []
  if (filter.states) conditions.push(sql`c.state = any (${filter.states}::text[])`)
  if (filter.partyId) conditions.push(sql`c.party_id = ${filter.partyId}`)
  if (filter.partnerId) conditions.push(sql`c.partner_id = ${filter.partnerId}`)
  if (filter.type) conditions.push(sql`c.type = ${filter.type}`)
  if (filter.createdFrom) conditions.push(sql`c.created_at >= ${filter.createdFrom}::timestamptz`)
  if (filter.createdBefore)
    conditions.push(sql`c.created_at < ${filter.createdBefore}::timestamptz`)
  if (filter.preparedBy) conditions.push(preparedByCondition(filter.preparedBy))
  if (filter.q) conditions.push(searchCondition(filter.q))
  return conditions
}

/** By user name, or by the id that answers show; a name may look like an id. */
function preparedByCondition(who: string): Statement {
  const byName = sql`c.preparers @> ${[`name:${folded(who)}`]}::text[]`
  if (!PERSON_ID.test(who)) return byName
  return sql`(${byName} or c.prepared_by @> ${[{ id: who }]}::jsonb)`
}

/** Prefixes by comparison: LIKE is not leakproof and would use no index under the policies. */
function searchCondition(q: string): Statement {
  const [text, low] = [q.trim(), folded(q.trim())]
  const high = low + HIGHEST
  return sql`(
    (c.number >= ${text} and c.number < ${text + HIGHEST})
    or (c.ref_folded >= ${low} and c.ref_folded < ${high})
    or (c.serial_folded >= ${low} and c.serial_folded < ${high})
    or c.party_id in (select id from party where ${partyNamed(q)}))`
}
