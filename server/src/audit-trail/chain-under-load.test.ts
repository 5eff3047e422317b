import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestDatabase, type TestPostgres } from '../../test/postgres.ts'
import { MIGRATIONS } from '../../test/stores.ts'
import { appRoleOf, ensureAppRole } from '../storage/app-role.ts'
import { migrate } from '../storage/migrate.ts'
import { openPostgres, openPostgresOwner } from '../storage/postgres.ts'
import type { Owner } from '../storage/session.ts'
import type { Db } from '../storage/tx.ts'
import { createSequencer, type Sequencer } from './sequencer.ts'
import {
  ALL,
  chained,
  each,
  exportedLines,
  fed,
  numbersUpTo,
  recordWork,
  testLog,
} from './test/trail.ts'
import { verifyExport } from './verify-export.ts'

const WRITERS = 64
const ROUNDS = 12
/** Most are quick and some slow, so that many commit behind younger ones. */
const delayMs = (): number => (Math.random() < 0.2 ? 150 : Math.random() * 10)

let server: TestPostgres
let database: TestDatabase
let owner: Owner
let db: Db

beforeAll(async () => {
  server = await startPostgres({ durable: true })
  database = await server.createDatabase('chain')
  owner = openPostgresOwner({ url: database.adminUrl, schema: 'tfs' })
  await ensureAppRole(owner, database.appUrl)
  await migrate(owner, { directory: MIGRATIONS, appRole: appRoleOf(database.appUrl).role })
  db = openPostgres({ url: database.appUrl, schema: 'tfs', poolSize: WRITERS })
})
afterAll(async () => {
  await db?.close()
  await owner?.close()
  await server?.stop()
})

/** Commits late, out of order, and sometimes not at all. Answers the ids whose commit was told. */
async function writer(name: string, rounds: number): Promise<string[]> {
  const told: string[] = []
  for (let round = 0; round < rounds; round++) {
    const id = `${name}-${round}`
    try {
      await db.write(ALL, async (tx) => {
        await recordWork(tx, id)
        await sleep(delayMs())
        if (Math.random() < 0.1) throw new Error('taken back')
      })
      told.push(id)
    } catch {
      // Taken back on purpose, or lost with the server: either way nobody was told that it is there.
    }
  }
  return told
}

function sequencers(): { all: Sequencer[]; close(): Promise<void> } {
  const own = [1, 2].map(() =>
    openPostgres({ url: database.appUrl, schema: 'tfs', poolSize: 1, maxWaitMs: 1_000 }),
  )
  const all = own.map((db) => createSequencer({ db, log: testLog(), intervalMs: 5 }))
  for (const sequencer of all) sequencer.start()
  return {
    all,
    async close() {
      for (const sequencer of all) await sequencer.stop()
      for (const db of own) await db.close()
    },
  }
}

/** Watches the feed as a client does: whatever it has read once must never be preceded by more. */
async function follow(isOver: () => boolean): Promise<string[]> {
  const seen: string[] = []
  while (!isOver()) {
    for (const { seq, itemId } of (await fed(db)).slice(seen.length)) {
      expect(seq).toBe(seen.length + 1)
      seen.push(itemId)
    }
    await sleep(20)
  }
  return seen
}

async function requireWhole(told: readonly string[]): Promise<void> {
  const [chain, feed] = [await chained(db), await fed(db)]
  expect(chain.map(({ seq }) => seq)).toEqual(numbersUpTo(chain.length))
  expect(feed.map(({ seq }) => seq)).toEqual(numbersUpTo(feed.length))
  for (const items of [chain, feed]) {
    const ids = items.map(({ itemId }) => itemId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(told.filter((id) => !ids.includes(id))).toEqual([])
  }
  expect(await verifyExport(each(await exportedLines(db)))).toMatchObject({
    ok: true,
    entries: chain.length,
  })
}

test('the chain holds under 64 parallel writers that commit late and out of order (rule 20)', async () => {
  const running = sequencers()
  let isOver = false
  const followed = follow(() => isOver)
  const told = await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(`w${n}`, ROUNDS)))
  isOver = true
  const seen = await followed
  await running.close()
  await requireWhole(told.flat())
  expect((await chained(db)).length).toBe(told.flat().length)
  expect((await fed(db)).map(({ itemId }) => itemId).slice(0, seen.length)).toEqual(seen)
})

test('the chain holds when the database crashes under 64 writers and the sequencer (rule 20)', async () => {
  const running = sequencers()
  const told = Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(`crash${n}`, ROUNDS)))
  await sleep(150)
  const before = await chained(db).catch(() => [])
  await server.kill('SIGKILL')
  await server.restart()
  const kept = (await told).flat()
  await running.close()
  await requireWhole(kept)
  const after = await chained(db)
  expect(after.slice(0, before.length)).toEqual(before)
  expect(kept.length).toBeGreaterThan(0)
})
