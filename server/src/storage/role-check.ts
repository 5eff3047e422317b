import { type Statement, sql } from './sql.ts'
import type { Db } from './tx.ts'

interface Fault {
  readonly role: string
  readonly reason: string
}

/** Predefined roles that reach the files under the tables, and so everything. */
const SERVER_ACCESS = ['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program']

/**
 * Security rule 16: the application role owns nothing and bypasses nothing. Asked over the
 * application's own connection; a membership counts whatever its options say: options change.
 */
export async function requireHarmlessRole(db: Db, schema: string): Promise<void> {
  const found = await db.read({ rows: 'NONE' }, (read) => read.rows<Fault>(faults(db, schema)))
  const [first] = found
  if (first === undefined) return
  throw new Error(
    `DATABASE_URL: the role ${first.role} ${first.reason} and could bypass row-level security; ` +
      'name a role without rights of its own there, `tfs migrate` creates it.',
  )
}

/** In the embedded store the session is the owner's and `set role` has left it. */
function faults(db: Db, schema: string): Statement {
  return sql`
    with recursive reach (oid) as (
      select oid from pg_roles
       where rolname = current_user or (rolname = session_user and ${db.kind === 'postgres'})
      union
      select m.roleid from reach join pg_auth_members m on m.member = reach.oid
    ),
    namespace as (select oid, nspowner from pg_namespace where nspname = ${schema})
    select current_user as role,
           case when r.rolname <> current_user then format('can become %s, which ', r.rolname)
                else '' end || fault.reason as reason
      from reach
      join pg_roles r on r.oid = reach.oid
     cross join lateral (values
       (1, r.rolsuper, 'is a superuser'),
       (2, r.rolbypassrls, 'has BYPASSRLS'),
       (3, r.rolcreaterole, 'may create roles'),
       (4, r.rolreplication, 'may replicate the whole server'),
       (5, r.rolname = any(${SERVER_ACCESS}), 'may use files or programs of the server'),
       (6, exists (select from pg_database d
                    where d.datname = current_database() and d.datdba = r.oid),
           'owns the database'),
       (7, exists (select from namespace n where n.nspowner = r.oid), 'owns the schema'),
       (8, exists (select from pg_class c join namespace n on n.oid = c.relnamespace
                    where c.relowner = r.oid),
           'owns tables of the schema'),
       (9, exists (select from pg_proc p join namespace n on n.oid = p.pronamespace
                    where p.proowner = r.oid),
           'owns functions of the schema'),
       (10, exists (select from namespace n where has_schema_privilege(r.oid, n.oid, 'CREATE')),
           'may create objects in the schema')
     ) as fault (rank, applies, reason)
     where fault.applies
     order by fault.rank`
}
