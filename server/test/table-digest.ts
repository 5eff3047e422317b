import { inject } from 'vitest'
import { openPostgresOwner } from '../src/storage/postgres.ts'
import { quotedName } from '../src/storage/quoting.ts'
import type { Owner, Session } from '../src/storage/session.ts'
import type { TestStore } from './stores.ts'

/** Refusals of identified callers are written down by design; every other row must stay as it was. */
const ROWS_THAT_COUNT: Readonly<Record<string, string>> = { audit_entry: `where outcome = 'DONE'` }
/** What follows the work in its own time: the chain, the feed, who was seen, who looked. */
const FOLLOWERS: readonly string[] = [
  'access_log',
  'audit_chain',
  'audit_checkpoint',
  'caller_seen',
  'event_feed',
  'sequencer_position',
]

/** One line per table, so that a failing comparison names the table that changed. */
export type TableDigests = Readonly<Record<string, string>>

/** Reads every row of every table, whoever it belongs to. */
export async function tableDigests(store: TestStore): Promise<TableDigests> {
  return withoutPolicies(store, async (session) => {
    const { rows } = await session.query(
      `select table_name as name from information_schema.tables
        where table_schema = $1 and table_type = 'BASE TABLE' and table_name <> all ($2) order by 1`,
      [store.schema, FOLLOWERS],
    )
    const digests: Record<string, string> = {}
    for (const { name } of rows as { name: string }[]) {
      const answer = await session.query(
        `select count(*)::text || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
           from ${quotedName(store.schema)}.${quotedName(name)} t ${ROWS_THAT_COUNT[name] ?? ''}`,
        [],
      )
      digests[name] = (answer.rows[0] as { digest: string }).digest
    }
    return digests
  })
}

/** Works as a superuser, whom row-level security does not hold. */
export async function withoutPolicies<T>(
  store: TestStore,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  if (store.kind === 'embedded') return store.rights.use(work)
  const database = new URL(inject('postgresTests').adminUrl).pathname
  const url = Object.assign(new URL(inject('postgresAdminUrl')), { pathname: database }).href
  const superuser: Owner = openPostgresOwner({ url, schema: store.schema })
  try {
    return await superuser.use(work)
  } finally {
    await superuser.close()
  }
}
