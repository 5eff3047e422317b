import type { Owner, Session } from '../../server/src/storage/session.ts'
import type { Recorded } from './journal.ts'

export interface Findings {
  /** Acknowledged and not there, or there in an earlier version. */
  readonly lost: readonly string[]
  /** Anything else that must never be. */
  readonly violations: readonly string[]
}

interface Stored {
  readonly id: string
  readonly ref: string
  readonly version: number
}

/** Security rules 15, 18: each query answers a line per violation. */
const NEVER: Readonly<Record<string, string>> = {
  'a version without exactly one audit entry': `
    select c.id || ' ' || v as line
      from contract c cross join lateral generate_series(1, c.version) v
     where (select count(*) from audit_entry a
             where a.item_id = c.id and a.item_version = v and a.outcome = 'DONE') <> 1`,
  'a version without exactly one event': `
    select c.id || ' ' || v as line
      from contract c cross join lateral generate_series(1, c.version) v
     where (select count(*) from event e where e.item_id = c.id and e.item_version = v) <> 1`,
  'an audit entry or event of something that is not there': `
    select item_id || ' ' || item_version as line
      from (select item_kind, item_id, item_version from event
            union all
            select item_kind, item_id, item_version from audit_entry where outcome = 'DONE') told
     where item_kind = 'contract'
       and not exists (select from contract c
                        where c.id = told.item_id and c.version >= told.item_version)`,
  'a decision by a preparer, or a state without its decision': `
    select id as line from contract
     where coalesce(decider && preparers, false)
        or (state = 'APPROVED') <> (jsonb_array_length(decisions) = 1)`,
  'two contracts of one command': `
    select external_ref as line from contract group by external_ref having count(*) > 1`,
  'a kept answer of something that is not there': `
    select i.key as line from idempotency i
     where i.status not between 200 and 299
        or not exists (select from contract c where c.id = i.body::jsonb ->> 'id'
                        and c.version >= (i.body::jsonb ->> 'version')::int)`,
  'a contract without its kept answer': `
    select external_ref as line from contract c
     where not exists (select from idempotency i where i.key = c.external_ref)`,
}

/** Asked of the database itself by someone whom row-level security does not bind. */
export async function findingsIn(owner: Owner, recorded: Recorded): Promise<Findings> {
  return owner.use(async (session) => {
    const violations: string[] = []
    for (const [name, query] of Object.entries(NEVER)) {
      const found = await linesOf(session, query)
      violations.push(...found.map((line) => `${name}: ${line}`))
    }
    const { rows } = await session.query(
      'select id, external_ref as ref, version from contract',
      [],
    )
    const stored = rows as Stored[]
    violations.push(...unsent(recorded, stored))
    return { lost: lostOf(recorded, stored), violations }
  })
}

async function linesOf(session: Session, query: string): Promise<string[]> {
  const { rows } = await session.query(query, [])
  return (rows as { line: string }[]).map(({ line }) => line)
}

function lostOf({ acknowledged }: Recorded, stored: readonly Stored[]): string[] {
  const versions = new Map(stored.map(({ id, version }) => [id, version]))
  return [...acknowledged.values()]
    .filter(({ contractId, version }) => (versions.get(contractId) ?? 0) < version)
    .map(({ key, contractId, version }) => `${key}: ${contractId} version ${version}`)
}

function unsent({ commands }: Recorded, stored: readonly Stored[]): string[] {
  return stored.filter(({ ref }) => !commands.has(ref)).map(({ ref }) => `never sent: ${ref}`)
}
