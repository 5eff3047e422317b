import { newId } from '../base/ids.ts'
import { sql } from './sql.ts'
import type { Tx } from './tx.ts'

/** What happened, by ids, never by contents: whoever reads the feed fetches what it may see. */
export interface OutboxEvent {
  readonly type: string
  readonly item: { readonly kind: string; readonly id: string; readonly version: number }
  readonly requestId: string
}

/** One row per state change, in the transaction of the change. */
export async function recordEvent(tx: Tx, event: OutboxEvent): Promise<void> {
  await tx.run(sql`
    insert into event (id, type, item_kind, item_id, item_version, request_id)
    values (${newId('evt')}, ${event.type}, ${event.item.kind}, ${event.item.id},
            ${event.item.version}, ${event.requestId})`)
}
