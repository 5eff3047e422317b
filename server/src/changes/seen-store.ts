import type { Caller } from '../access/caller.ts'
import { personKeysOf } from '../access/four-eyes.ts'
import { sql } from '../storage/sql.ts'
import type { Db, Read } from '../storage/tx.ts'

export const SEEN_DAYS = 30

/** Who was here with which permissions: the provider's directory is not ours to read. */
export async function recordSeen(db: Db, caller: Caller): Promise<void> {
  await db.write({ rows: 'ALL', subject: caller.subject }, async (tx) => {
    await tx.run(sql`
      insert into caller_seen (subject, username, person_keys, permissions, is_human, party_id, partner_id)
      values (${caller.subject}, ${caller.username}, ${personKeysOf(caller)}::text[],
              ${[...caller.permissions]}::text[], ${caller.human}, ${caller.partyId ?? null},
              ${caller.partnerId ?? null})
      on conflict (subject) do update
        set username = excluded.username, person_keys = excluded.person_keys,
            permissions = excluded.permissions, is_human = excluded.is_human,
            party_id = excluded.party_id, partner_id = excluded.partner_id,
            seen_at = clock_timestamp()`)
  })
}

export interface SeenDecider {
  readonly username: string
  readonly keys: readonly string[]
}

/** People seen lately who hold the permission and are not bound to other rows. */
export function decidersSeen(read: Read, permission: string): Promise<SeenDecider[]> {
  return read.rows<SeenDecider>(sql`
    select username, person_keys as keys
      from caller_seen
     where permissions @> ${[permission]}::text[] and is_human
       and party_id is null and partner_id is null
       and seen_at > clock_timestamp() - make_interval(days => ${SEEN_DAYS})
     order by username
     limit 1000`)
}

/** Those who share nothing with the preparers. */
export function othersAmong(
  seen: readonly SeenDecider[],
  preparers: readonly string[],
): SeenDecider[] {
  return seen.filter(({ keys }) => !keys.some((key) => preparers.includes(key)))
}
