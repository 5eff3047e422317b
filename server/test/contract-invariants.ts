import { sql } from '../src/storage/sql.ts'
import type { Db } from '../src/storage/tx.ts'

export interface Violation {
  readonly rule: string
  readonly item: string
}

const PREPARED = ['contract.created', 'contract.submitted', 'contract.edited']
const DECIDED = [
  'contract.approved',
  'contract.rejected',
  'contract.returned',
  'contract.activated',
]

/** Security rule 15: what must never be found, whatever happened; over rows and trail alike. */
export function violationsIn(db: Db): Promise<Violation[]> {
  return db.read({ rows: 'ALL' }, (read) =>
    read.rows<Violation>(sql`
      with entry as (
        select a.item_id as id, a.item_version as version, a.action, a.subject,
               lower(a.username) as username,
               (select d ->> 'before' from jsonb_array_elements(a.diff) d
                 where d ->> 'pointer' = '/state') as before,
               (select d ->> 'after' from jsonb_array_elements(a.diff) d
                 where d ->> 'pointer' = '/state') as after
          from audit_entry a
         where a.item_kind = 'contract' and a.outcome = 'DONE'),
      version as (
        select c.id, v as version from contract c, generate_series(1, c.version) v)
      select 'decided by a preparer' as rule, d.id as item
        from entry d join entry p on p.id = d.id and p.version < d.version
       where d.action = any (${DECIDED}::text[]) and p.action = any (${PREPARED}::text[])
         and (p.subject = d.subject or p.username = d.username)
      union all
      select 'illegal move', e.id from entry e
       where e.before is not null and not exists (
         select from contract_move m where m.from_state = e.before and m.to_state = e.after)
      union all
      select 'illegal beginning', e.id from entry e
       where e.version = 1 and not (e.before is null and e.after in ('DRAFT', 'PENDING_APPROVAL'))
      union all
      select 'states that do not follow each other', e.id from entry e
       where e.before is not null and e.before is distinct from (
         select p.after from entry p
          where p.id = e.id and p.version < e.version and p.after is not null
          order by p.version desc limit 1)
      union all
      select 'a row that is not where its story ends', c.id from contract c
       where c.state is distinct from (
         select e.after from entry e where e.id = c.id and e.after is not null
          order by e.version desc limit 1)
      union all
      select 'not exactly one audit entry', v.id from version v
       where (select count(*) from entry e where e.id = v.id and e.version = v.version) <> 1
      union all
      select 'not exactly one event', v.id from version v
       where (select count(*) from event e where e.item_kind = 'contract'
                 and e.item_id = v.id and e.item_version = v.version) <> 1
      union all
      select 'an entry or event of a version that is not there', e.id from entry e
       where not exists (select from version v where v.id = e.id and v.version = e.version)
      union all
      select 'a decider among the preparers', c.id from contract c where c.decider && c.preparers
      union all
      select 'decisions that were not taken', c.id from contract c
       where jsonb_array_length(c.decisions) <> (
         select count(*) from entry e where e.id = c.id
            and e.action in ('contract.approved', 'contract.rejected', 'contract.returned'))`),
  )
}
