import { sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import type { FedEvent } from './event.ts'

/** Without gaps and in order: a number is given only when nothing can come before it any more. */
export function eventsAfter(read: Read, after: number, limit: number): Promise<FedEvent[]> {
  return read.rows(sql`
    select f.seq, e.id, e.at, e.type, e.item_kind as "itemKind", e.item_id as "itemId",
           e.item_version as "itemVersion", e.request_id as "requestId"
      from event_feed f join event e on e.id = f.event_id
     where f.seq > ${after}
     order by f.seq
     limit ${limit}`)
}

export async function lastSeq(read: Read): Promise<number> {
  const { last } = await read.one<{ last: number }>(sql`
    select coalesce(max(seq), 0) as last from event_feed`)
  return last
}
