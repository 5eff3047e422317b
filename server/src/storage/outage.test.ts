import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NetworkFault, networkFault } from '../../test/network-fault.ts'
import { startPostgres, type TestDatabase, type TestPostgres } from '../../test/postgres.ts'
import { ensureAppRole } from './app-role.ts'
import { openPostgres, openPostgresOwner, type PostgresOptions } from './postgres.ts'
import type { Owner } from './session.ts'
import { sql } from './sql.ts'
import type { Db } from './tx.ts'

const ALL = { rows: 'ALL' } as const
const RECOVERY_MS = 5_000
const UNAVAILABLE = { code: 'UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' } }

let server: TestPostgres
let database: TestDatabase
let owner: Owner
let network: NetworkFault
const opened: Db[] = []

beforeAll(async () => {
  server = await startPostgres({ durable: true })
  database = await server.createDatabase('outage')
  owner = openPostgresOwner({ url: database.adminUrl, schema: 'tfs' })
  const { role } = await ensureAppRole(owner, database.appUrl)
  await owner.use((session) =>
    session.script(`
      create table item (id text primary key);
      grant select, insert, delete on item to ${role}`),
  )
})
beforeEach(async () => {
  network = await networkFault(database.appUrl)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()))
  await network.stop()
})
afterAll(async () => {
  await owner?.close()
  await server?.stop()
})

function open(options: Partial<PostgresOptions> = {}): Db {
  const db = openPostgres({ url: database.appUrl, schema: 'tfs', ...options })
  opened.push(db)
  return db
}

const add = (db: Db, id: string): Promise<number> =>
  db.write(ALL, (tx) => tx.run(sql`insert into item values (${id})`))
const count = async (db: Db, like: string): Promise<number> => {
  const counted = sql`select count(*) as n from item where id like ${`${like}%`}`
  return (await db.read(ALL, (read) => read.one<{ n: number }>(counted))).n
}
const terminateOthers = (db: Db): Promise<unknown> =>
  db.write(ALL, (tx) =>
    tx.rows(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where usename = current_user and pid <> pg_backend_pid()`),
  )

test('503 at once while nothing listens', async () => {
  await network.stop()
  const db = open({ url: network.urlOf(database.appUrl) })
  await expect(count(db, 'x')).rejects.toMatchObject(UNAVAILABLE)
  await expect(add(db, 'x')).rejects.toMatchObject(UNAVAILABLE)
  network = await networkFault(database.appUrl)
})

test('503 in bounded time while connections are taken and never answered', async () => {
  network.goSilent()
  const db = open({ url: network.urlOf(database.appUrl), poolSize: 1 })
  const asked = [1, 2, 3].map(() => count(db, 'x').catch((error: unknown) => error))
  for (const outcome of await Promise.all(asked)) expect(outcome).toMatchObject(UNAVAILABLE)
})

test('503 in bounded time when the network falls silent under a statement', async () => {
  const db = open({ url: network.urlOf(database.appUrl), poolSize: 1, statementTimeoutMs: 100 })
  expect(await count(db, 'x')).toBe(0)
  network.goSilent()
  await expect(count(db, 'x')).rejects.toMatchObject(UNAVAILABLE)
})

test('503 for a statement that takes too long, and the connection serves on', async () => {
  const db = open({ poolSize: 1, statementTimeoutMs: 200 })
  const slow = db.read(ALL, (read) => read.rows(sql`select pg_sleep(5)::text as value`))
  await expect(slow).rejects.toMatchObject(UNAVAILABLE)
  expect(await count(db, 'x')).toBe(0)
})

test('503 when the database takes no more connections of the role', async () => {
  const role = new URL(database.appUrl).username
  const limit = (n: number): Promise<void> =>
    owner.use((session) => session.script(`alter role ${role} connection limit ${n}`))
  await limit(0)
  await expect(count(open(), 'x')).rejects.toMatchObject(UNAVAILABLE)
  await limit(-1)
})

test('503 when the connection ends under a statement; the next request is served', async () => {
  const db = open({ poolSize: 1 })
  const slow = db.read(ALL, (read) => read.rows(sql`select pg_sleep(20)::text as value`))
  const outcome = slow.catch((error: unknown) => error)
  await sleep(200)
  await terminateOthers(open({ poolSize: 1 }))
  expect(await outcome).toMatchObject(UNAVAILABLE)
  expect(await count(db, 'x')).toBe(0)
})

test('an idle connection that was ended is replaced without anybody noticing', async () => {
  const db = open({ poolSize: 1 })
  expect(await count(db, 'x')).toBe(0)
  await terminateOthers(open({ poolSize: 1 }))
  await sleep(100)
  expect(await count(db, 'x')).toBe(0)
})

test('503 and nothing kept when the connection ends between two statements', async () => {
  const db = open({ poolSize: 1 })
  const other = open({ poolSize: 1 })
  const cut = Promise.withResolvers<void>()
  const work = db.write(ALL, async (tx) => {
    await tx.run(sql`insert into item values ('torn1')`)
    await cut.promise
    await sleep(100)
    await tx.run(sql`insert into item values ('torn2')`).catch(() => 0)
    await tx.run(sql`insert into item values ('torn3')`).catch(() => 0)
  })
  const outcome = work.catch((error: unknown) => error)
  await sleep(100)
  await terminateOthers(other)
  cut.resolve()
  // Nobody else's statement runs on what follows the lost connection before the torn work ends.
  expect(await outcome).toMatchObject(UNAVAILABLE)
  await expect(add(db, 'after')).resolves.toBe(1)
  expect(await count(other, 'torn')).toBe(0)
})

test('503 that says the outcome is unknown when the connection ends under COMMIT', async () => {
  const db = open({ url: network.urlOf(database.appUrl), poolSize: 1 })
  await count(db, 'x')
  network.cutAfterSending('commit\0')
  const outcome = await add(db, 'committed').catch((error: unknown) => error)
  expect(outcome).toMatchObject(UNAVAILABLE)
  expect(outcome).toHaveProperty('detail', expect.stringContaining('may or may not be there'))
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  '200 or 503 while the server restarts after %s, back within 5 s, nothing acknowledged is lost',
  async (signal) => {
    const db = open()
    const prefix = `restart_${signal}_`
    const acknowledged: string[] = []
    const refusals: unknown[] = []
    let running = true
    const clients = Array.from({ length: 20 }, async (_, client) => {
      for (let n = 0; running; n++) {
        const id = `${prefix}${client}_${n}`
        await add(db, id).then(
          () => acknowledged.push(id),
          (error: unknown) => refusals.push(error),
        )
        await count(db, prefix).catch((error: unknown) => refusals.push(error))
        await sleep(2)
      }
    })
    await sleep(300)
    await server.kill(signal)
    await sleep(300)
    await server.restart()
    const back = Date.now()
    while (!(await add(db, `${prefix}back_${Date.now()}`).catch(() => false))) {
      expect(Date.now() - back).toBeLessThan(RECOVERY_MS)
      await sleep(50)
    }
    await sleep(200)
    running = false
    await Promise.all(clients)
    expect(refusals.length).toBeGreaterThan(0)
    for (const refusal of refusals) expect(refusal).toMatchObject(UNAVAILABLE)
    const kept = await db.read(ALL, (read) => read.rows<{ id: string }>(sql`select id from item`))
    const ids = new Set(kept.map(({ id }) => id))
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
    expect(db.pool()).toMatchObject({ busy: 0, waiting: 0 })
  },
)
