import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbedded } from './embedded.ts'
import { sql } from './sql.ts'

const ALL = { rows: 'ALL' } as const
const VIEW = { schema: 'tfs', appRole: 'tfs_app' }
const KILLS = 2
const WRITES_BEFORE_KILL = 40

/** Writes one row after another and says each that is acknowledged. */
const WRITER = `
  const { openEmbedded } = await import(${moduleName('./embedded.ts')})
  const { sql } = await import(${moduleName('./sql.ts')})
  console.log('opening')
  const db = await openEmbedded({ dataDir: process.argv[1], schema: 'tfs', appRole: 'tfs_app' })
  await db.owner.use((session) => session.script(
    'create schema if not exists tfs; grant usage on schema tfs to tfs_app;' +
    'create table if not exists item (id text primary key);' +
    'grant select, insert on item to tfs_app'))
  for (let n = 0; ; n++) {
    const id = process.argv[2] + '_' + n
    await db.write({ rows: 'ALL' }, (tx) => tx.run(sql\`insert into item values (\${id})\`))
    console.log(id)
  }`

function moduleName(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}

let parent: string
let dataDir: string
const started: ChildProcess[] = []

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tfs-embedded-'))
  dataDir = join(parent, 'database')
})
afterEach(async () => {
  await Promise.all(started.splice(0).map(kill))
  rmSync(parent, { recursive: true })
})

function writer(name: string): ChildProcess {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, dataDir, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

async function keptIds(): Promise<Set<string>> {
  const db = await openEmbedded({ dataDir, ...VIEW })
  const rows = await db.read(ALL, (read) => read.rows<{ id: string }>(sql`select id from item`))
  await db.close()
  return new Set(rows.map(({ id }) => id))
}

test('acknowledged writes survive kill -9', { timeout: 120_000 }, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < KILLS; round++) {
    const child = writer(`r${round}`)
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    let count = 0
    for await (const line of lines) {
      if (line === 'opening') continue
      acknowledged.push(line)
      if (++count === WRITES_BEFORE_KILL) child.kill('SIGKILL')
    }
    await kill(child)
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS * WRITES_BEFORE_KILL)
  const kept = await keptIds()
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})

test('a first start that is killed leaves nothing in the way of the next', {
  timeout: 120_000,
}, async () => {
  for (const wait of [200, 700, 1200]) {
    const child = writer('first')
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    await new Promise((resolve) => setTimeout(resolve, wait))
    await kill(child)
  }
  const db = await openEmbedded({ dataDir, ...VIEW })
  expect(await db.read(ALL, (read) => read.one(sql`select 1 as n`))).toEqual({ n: 1 })
  await db.close()
  expect(existsSync(`${dataDir}.unfinished`)).toBe(false)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})

test('503 after the store was closed, and for who comes while it closes', async () => {
  const db = await openEmbedded(VIEW)
  await db.close()
  await expect(db.read(ALL, (read) => read.one(sql`select 1 as n`))).rejects.toMatchObject({
    status: 503,
  })
})

test('timers run while a long line of work is served', async () => {
  const db = await openEmbedded(VIEW)
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const slow = sql`select count(*) as n from generate_series(1, 20000)`
  await Promise.all(Array.from({ length: 50 }, () => db.read(ALL, (read) => read.one(slow))))
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(2)
  await db.close()
})

test('work runs as the application role, the work of the owner does not', async () => {
  const db = await openEmbedded(VIEW)
  const who = sql`select current_user::text as role`
  const asOwner = (): Promise<unknown> =>
    db.owner.use(async (session) => (await session.query(who.text, [])).rows)
  expect(await db.read(ALL, (read) => read.one(who))).toEqual({ role: 'tfs_app' })
  expect(await asOwner()).toEqual([{ role: 'postgres' }])
  expect(await db.write(ALL, (tx) => tx.one(who))).toEqual({ role: 'tfs_app' })
  const mixed = await Promise.all([asOwner(), db.read(ALL, (read) => read.one(who)), asOwner()])
  expect(mixed[1]).toEqual({ role: 'tfs_app' })
  await db.close()
})
