import { instantNow } from '../storage/instant-now.ts'
import { sql } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'
import type { AccessRow } from './access-row.ts'

export async function databaseTime(tx: Tx): Promise<number> {
  const { now } = await tx.one<{ now: string }>(sql`select ${instantNow} as now`)
  return Date.parse(now)
}

/** Answers false where the batch is there already: its first attempt was kept after all. */
export async function insertAccesses(
  tx: Tx,
  batchId: string,
  rows: readonly AccessRow[],
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into access_log (batch_id, position, party_id, item_kind, item_id, action, at, surface,
                            subject, username, request_id)
    select ${batchId}::text, given.position, given."partyId", given."itemKind", given."itemId",
           given.action, given.at, given.surface, given.subject, given.username, given."requestId"
      from jsonb_to_recordset(${rows.map((row, position) => ({ ...row, position }))}::jsonb)
        as given (position integer, "partyId" text, "itemKind" text, "itemId" text, action text,
                  at timestamptz, surface text, subject text, username text, "requestId" text)
        on conflict (batch_id, position) do nothing`)
  return inserted > 0
}
