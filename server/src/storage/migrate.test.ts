import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { eachStore, openStore, type TestStore } from '../../test/stores.ts'
import { migrate, pendingMigrations } from './migrate.ts'
import { openPostgresOwner } from './postgres.ts'
import type { Owner } from './session.ts'
import { sql } from './sql.ts'

const ALL = { rows: 'ALL' } as const
const FIRST =
  'create table item (id text primary key); grant select, insert on item to {{app_role}};'

eachStore((shared) => {
  let store: TestStore
  let directory: string

  beforeEach(async () => {
    store = await openStore(shared.kind, { migrations: false })
    directory = await mkdtemp(join(tmpdir(), 'tfs-migrations-'))
    await write('0001_first.sql', FIRST)
  })
  afterEach(async () => {
    await store.close()
    await rm(directory, { recursive: true })
  })

  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(directory, name), text)
  const run = (owner: Owner = store.rights): Promise<string[]> =>
    migrate(owner, { directory, appRole: store.appRole })
  const pending = (): Promise<string[]> => pendingMigrations(store.db, directory)

  test('files are applied once, in order, and grant the application its rights', async () => {
    await write('0002_second.sql', `alter table item add n integer not null default 7;`)
    expect(await pending()).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await run()).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await pending()).toEqual([])
    expect(await run()).toEqual([])
    await store.db.write(ALL, (tx) => tx.run(sql`insert into item (id) values ('a')`))
    const rows = await store.db.read(ALL, (read) => read.rows(sql`select id, n from item`))
    expect(rows).toEqual([{ id: 'a', n: 7 }])
  })

  test('the application sees new columns at once, and statements it knew go on', async () => {
    await run()
    const ask = (): Promise<unknown[]> =>
      store.db.read(ALL, (read) => read.rows(sql`select item.* from item`))
    await store.db.write(ALL, (tx) => tx.run(sql`insert into item (id) values ('a')`))
    expect(await ask()).toEqual([{ id: 'a' }])
    await write('0002_second.sql', `alter table item add n integer not null default 7;`)
    await run()
    expect(await ask()).toEqual([{ id: 'a', n: 7 }])
  })

  test('a file that fails is named, leaves nothing and keeps those before it', async () => {
    await write('0002_broken.sql', 'create table half (id text); select nonsense;')
    await expect(run()).rejects.toThrow(/^Migration 0002_broken\.sql failed: .*nonsense/)
    expect(await pending()).toEqual(['0002_broken.sql'])
    const half = await store.db.read(ALL, (read) =>
      read.one(sql`select to_regclass('half')::text as half, to_regclass('item')::text as item`),
    )
    expect(half).toEqual({ half: null, item: 'item' })
    await write('0002_broken.sql', 'create table half (id text);')
    expect(await run()).toEqual(['0002_broken.sql'])
  })

  test('a file changed after it was applied is refused by migrate and by readiness', async () => {
    await run()
    await write('0001_first.sql', `${FIRST} -- changed`)
    await expect(run()).rejects.toThrow('0001_first.sql was changed after it had been applied')
    await expect(pending()).rejects.toThrow('0001_first.sql was changed after it had been applied')
  })

  test('a database newer than the program is refused by migrate and by readiness', async () => {
    await write('0002_newer.sql', 'select 1;')
    await run()
    await rm(join(directory, '0002_newer.sql'))
    await expect(run()).rejects.toThrow('newer than this program: it has migration 0002_newer.sql')
    await expect(pending()).rejects.toThrow('newer than this program')
  })

  test.each(['0003_gap.sql', '2_short.sql', '0002-dash.sql', '0002_Upper.sql', '0001_twice.sql'])(
    'a file named %s is refused before anything is applied',
    async (name) => {
      await write(name, 'select 1;')
      await expect(run()).rejects.toThrow(`Migration ${name}: expected a file 0002_name.sql.`)
    },
  )

  test('several migrators at once apply each file once', async () => {
    await write('0002_slow.sql', 'select pg_sleep(0.2); create table slow (id text);')
    const others = shared.kind === 'postgres' ? await otherOwners(store.schema) : []
    const applied = await Promise.all([store.rights, store.rights, ...others].map(run))
    expect(applied.flat().sort()).toEqual(['0001_first.sql', '0002_slow.sql'])
    await Promise.all(others.map((owner) => owner.close()))
  })

  test('the application cannot migrate, nor touch what is written about migrations', async () => {
    await run()
    const forbidden = [
      sql`create table own (id text)`,
      sql`delete from schema_migration`,
      sql`drop table item`,
    ]
    for (const statement of forbidden) {
      const attempt = store.db.write(ALL, (tx) => tx.run(statement))
      await expect(attempt).rejects.toMatchObject({ sqlState: '42501' })
    }
  })
})

async function otherOwners(schema: string): Promise<Owner[]> {
  const { adminUrl } = inject('postgresTests')
  return [1, 2].map(() => openPostgresOwner({ url: adminUrl, schema }))
}
