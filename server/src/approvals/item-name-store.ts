import type { Money } from '../base/money.ts'
import type { StoredChange } from '../changes/index.ts'
import { sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'

/** How people call the item that a change is about. */
export interface ItemName {
  readonly id: string
  readonly name: string
  readonly number: string | null
  readonly partyId: string | null
  readonly partyName: string | null
  readonly amount: Money | null
}

export async function itemNamesOf(
  read: Read,
  changes: readonly StoredChange[],
): Promise<ReadonlyMap<string, ItemName>> {
  if (changes.length === 0) return new Map()
  const ids = [...new Set(changes.map(({ itemId }) => itemId))]
  const rows = await read.rows<ItemName>(sql`
    select c.id, 'contract ' || c.number as name, c.number, p.id as "partyId",
           p.display_name as "partyName", c.terms -> 'financedAmount' as amount
      from contract c join party p on p.id = c.party_id
     where c.id = any (${ids}::text[])
    union all
    select id, display_name, null, id, display_name, null from party where id = any (${ids}::text[])
    union all
    select id, name, null, null, null, null from partner where id = any (${ids}::text[])`)
  return new Map(rows.map((row) => [row.id, row]))
}
