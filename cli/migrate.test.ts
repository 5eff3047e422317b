import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rightsIn } from '../server/src/app-rights.ts'
import { tempFolder } from './test/data-dir.ts'
import { type NewDatabase, newDatabase } from './test/postgres-database.ts'
import { ROOT, runTfs, serveTfs } from './test/tfs-process.ts'

const MIGRATIONS = join(ROOT, 'server/migrations')
const migrations = readdirSync(MIGRATIONS)
  .filter((file) => file.endsWith('.sql'))
  .sort()
/** What may go: kept answers by age, and the values that a person has the right to see erased. */
const ERASABLE = ['audit_personal_value', 'idempotency']

let folder: string
beforeAll(async () => {
  folder = await tempFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Every right that the role itself was given, in tables, columns, sequences, schemas and the database. */
function rightsOf(
  database: NewDatabase,
  role: string,
): Promise<{ item: string; rights: string }[]> {
  return database.asOwner(`
    with item (name, acl) as (
      select c.relname::text, c.relacl from pg_class c
       where c.relnamespace = 'tfs'::regnamespace
      union all
      select c.relname || '.' || a.attname, a.attacl
        from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'tfs'::regnamespace
      union all
      select 'function ' || p.proname, p.proacl from pg_proc p
       where p.pronamespace = 'tfs'::regnamespace
      union all select 'schema ' || nspname, nspacl from pg_namespace
      union all select 'this database', datacl from pg_database where datname = current_database()
    )
    select name as item, string_agg(privilege_type, ' ' order by privilege_type) as rights
      from item cross join lateral aclexplode(acl)
     where grantee = '${role}'::regrole
     group by name order by name`)
}

describe('platform 1: `tfs migrate` on PostgreSQL', () => {
  let database: NewDatabase
  beforeAll(async () => {
    database = await newDatabase()
  })

  test('two at once: both succeed, each migration is applied once', async () => {
    const both = await Promise.all([1, 2].map(() => runTfs(['migrate'], database.env, folder)))
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const files = both.flatMap(({ stdout }) => stdout.match(/\d{4}_\w+\.sql/g) ?? [])
    expect(files.sort()).toEqual(migrations)
  })

  test('makes a role that can log in and nothing else, member of nothing, owner of nothing', async () => {
    const [role] = await database.asOwner(`
      select rolcanlogin, rolsuper, rolcreatedb, rolcreaterole, rolinherit, rolbypassrls,
             rolreplication,
             exists (select from pg_auth_members m where m.member = r.oid) as "isMember",
             exists (select from pg_shdepend d
                      where d.refobjid = r.oid and d.deptype = 'o') as "isOwner"
        from pg_roles r where rolname = '${database.appRole}'`)
    expect(role).toEqual({
      rolcanlogin: true,
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      rolinherit: false,
      rolbypassrls: false,
      rolreplication: false,
      isMember: false,
      isOwner: false,
    })
  })

  test('grants what the application needs and nothing that rewrites or removes history', async () => {
    const rights = await rightsOf(database, database.appRole)
    const byItem = new Map(rights.map(({ item, rights }) => [item, rights]))
    expect(Object.fromEntries([...byItem].filter(([item]) => item.includes(' ')))).toEqual({
      'schema tfs': 'USAGE',
      'this database': 'CONNECT',
    })
    const having = (right: string): string[] =>
      rights.filter((each) => each.rights.split(' ').includes(right)).map(({ item }) => item)
    expect(having('DELETE')).toEqual(ERASABLE)
    for (const right of ['TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN', 'CREATE']) {
      expect(having(right), right).toEqual([])
    }
    expect(byItem.get('schema_migration')).toBe('SELECT')
    expect(byItem.get('deployment')).toBe('INSERT SELECT')
    expect(byItem.get('audit_entry')).toBe('SELECT')
    expect(byItem.get('event')).toBe('SELECT')
    expect(byItem.get('audit_entry.at')).toBeUndefined()
    expect(byItem.get('contract')).toBe('INSERT SELECT UPDATE')
  })

  test('a role that is named later gets exactly the same rights and can serve', async () => {
    const later = `${database.appRole}_2`
    const renamed = Object.assign(new URL(database.env.DATABASE_URL), { username: later })
    const env = { ...database.env, DATABASE_URL: renamed.href }
    expect(await runTfs(['migrate'], env, folder)).toMatchObject({
      code: 0,
      stdout: 'The schema is current.\n',
    })
    const [first, second] = await Promise.all([
      rightsOf(database, database.appRole),
      rightsOf(database, later),
    ])
    expect(second).toEqual(first)
    const serving = await serveTfs({ DATABASE_URL: renamed.href }, folder)
    const { status } = await fetch(`${serving.baseUrl}/readyz`)
    await serving.end('SIGTERM')
    expect(status).toBe(200)
  })

  test('a role without its rights waits for `tfs migrate`, and then serves', async () => {
    const { appRole, env } = database
    await database.asOwner(`revoke all on tfs.deployment from ${appRole}`)
    const serving = await serveTfs({ DATABASE_URL: env.DATABASE_URL }, folder)
    await serving.says(/Not ready\..*\n/)
    expect(serving.stderr()).toMatch(/^tfs: Not ready\. The role .*`tfs migrate`[^\n]*\n$/)
    expect((await fetch(`${serving.baseUrl}/readyz`)).status).toBe(503)
    await runTfs(['migrate'], env, folder)
    await serving.says(/The database is ready/)
    await serving.end('SIGTERM')
  })

  test('every mention of the role in a migration is a right that can be given again', () => {
    for (const file of migrations) {
      const text = readFileSync(join(MIGRATIONS, file), 'utf8')
      const mentioned = (lines: string): number => lines.split('{{app_role}}').length - 1
      expect(mentioned(rightsIn(text).join('\n')), file).toBe(mentioned(text))
    }
  })
})
