import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eachStore, storeOf } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import type { Db } from '../storage/tx.ts'
import { BATCH_ROWS, createSequencer, type Sequencer } from './sequencer.ts'
import {
  ALL,
  behindTheBack,
  chainAll,
  chained,
  each,
  exportedLines,
  fed,
  numbersUpTo,
  recordWork,
  testLog,
  work,
} from './test/trail.ts'
import { verifyExport } from './verify-export.ts'

/** No transaction that could hold an entry back is open on the server. */
const isSettled = (db: Db): Promise<boolean> =>
  db.read(ALL, async (read) => {
    const asked = sql`select max(xid) < pg_snapshot_xmin(pg_current_snapshot()) as settled from audit_entry`
    return (await read.one<{ settled: boolean }>(asked)).settled
  })

eachStore((store) => {
  const sequencer = () => createSequencer({ db: store.db, log: testLog(), intervalMs: 20 })

  test('entries and events get numbers without gaps, in the order of writing (platform 9)', async () => {
    for (const id of ['a', 'b', 'c']) await work(store.db, id)
    expect(await chainAll(store.db, sequencer())).toBe(3)
    expect(await chainAll(store.db, sequencer())).toBe(0)
    await work(store.db, 'd')
    expect(await chainAll(store.db, sequencer())).toBe(1)
    const expected = ['a', 'b', 'c', 'd'].map((itemId, index) => ({ seq: index + 1, itemId }))
    expect(await chained(store.db)).toEqual(expected)
    expect(await fed(store.db)).toEqual(expected)
  })

  test('several entries of one transaction stay in their order (platform 9)', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `same-${index}`)
    await store.db.write(ALL, async (tx) => {
      for (const id of ids) await recordWork(tx, id)
    })
    await chainAll(store.db, sequencer())
    expect((await chained(store.db)).slice(-40).map(({ itemId }) => itemId)).toEqual(ids)
    expect((await fed(store.db)).slice(-40).map(({ itemId }) => itemId)).toEqual(ids)
  })

  test('more entries than one batch takes are chained in one run (platform 9)', async () => {
    const before = (await chained(store.db)).length
    const count = BATCH_ROWS + 7
    await store.db.write(ALL, (tx) =>
      tx.run(sql`
        insert into audit_entry (id, request_id, subject, username, mode, action, outcome, item_id)
        select 'many-' || n, 'r', 's', 'u', 'system', 'a', 'DONE', 'many' from generate_series(1, ${count}) n`),
    )
    expect(await chainAll(store.db, sequencer())).toBe(count)
    const all = await chained(store.db)
    expect(all.map(({ seq }) => seq)).toEqual(numbersUpTo(before + count))
    expect(await verifyExport(each(await exportedLines(store.db)))).toMatchObject({ ok: true })
  })

  test('the timer chains what is written, and a stop drains (platform 9)', async () => {
    const running = sequencer()
    running.start()
    await work(store.db, 'timed')
    await expect
      .poll(async () => (await chained(store.db)).at(-1)?.itemId, { timeout: 5_000 })
      .toBe('timed')
    await work(store.db, 'drained')
    await expect.poll(() => isSettled(store.db), { timeout: 5_000 }).toBe(true)
    await running.stop()
    expect((await chained(store.db)).at(-1)?.itemId).toBe('drained')
    await work(store.db, 'after the stop')
    await sleep(100)
    expect((await chained(store.db)).at(-1)?.itemId).toBe('drained')
  })

  test('a database restored from a dump into a younger server goes on being chained (platform 9)', async () => {
    await chainAll(store.db, sequencer())
    const before = (await chained(store.db)).length
    await work(store.db, 'dumped before it was chained')
    // As it looks after such a restore: everything that is there has xids beyond the server's own.
    const ahead = (column: string) =>
      `${column} = (${column}::text::bigint + 1000000000)::text::xid8`
    await store.owner(
      behindTheBack(`
        update audit_entry set ${ahead('xid')}; update event set ${ahead('xid')};
        update sequencer_position set ${ahead('from_xid')}, ${ahead('to_xid')}`),
    )
    await work(store.db, 'young')
    expect(await chainAll(store.db, sequencer())).toBe(2)
    await work(store.db, 'younger')
    expect(await chainAll(store.db, sequencer())).toBe(1)
    expect((await chained(store.db)).map(({ seq }) => seq)).toEqual(numbersUpTo(before + 3))
    expect((await fed(store.db)).slice(-3).map(({ itemId }) => itemId)).toEqual([
      'dumped before it was chained',
      'young',
      'younger',
    ])
    expect((await chained(store.db)).slice(-3).map(({ itemId }) => itemId)).toEqual([
      'dumped before it was chained',
      'young',
      'younger',
    ])
    expect(await verifyExport(each(await exportedLines(store.db)))).toMatchObject({ ok: true })
  })
})

describe('parallel transactions', () => {
  const store = storeOf('postgres', { poolSize: 12 })

  test('an entry waits for every older transaction, a writer for none (platform 9)', async () => {
    const sequencer = createSequencer({ db: store.db, log: testLog() })
    const [written, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = store.db.write(ALL, async (tx) => {
      await recordWork(tx, 'slow')
      written.resolve()
      await release.promise
    })
    await written.promise
    await work(store.db, 'quick')
    expect(await sequencer.runOnce()).toBe(0)
    release.resolve()
    await slow
    expect(await chainAll(store.db, sequencer)).toBe(2)
    expect((await chained(store.db)).map(({ itemId }) => itemId)).toEqual(['slow', 'quick'])
  })

  test('what waited for another change comes after it, though its transaction is older (platform 9)', async () => {
    const [begun, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const older = store.db.write(ALL, async (tx) => {
      await recordWork(tx, 'older, before')
      begun.resolve()
      await committed.promise
      await recordWork(tx, 'older, after')
    })
    await begun.promise
    await work(store.db, 'younger')
    committed.resolve()
    await older
    await chainAll(store.db, createSequencer({ db: store.db, log: testLog() }))
    const expected = ['older, before', 'younger', 'older, after']
    expect((await chained(store.db)).slice(-3).map(({ itemId }) => itemId)).toEqual(expected)
    expect((await fed(store.db)).slice(-3).map(({ itemId }) => itemId)).toEqual(expected)
  })

  test('two sequencers at once leave one chain (platform 9)', async () => {
    const before = (await chained(store.db)).length
    const sequencers = Array.from({ length: 4 }, () =>
      createSequencer({ db: store.db, log: testLog() }),
    )
    for (let round = 0; round < 20; round++) {
      await Promise.all([
        ...Array.from({ length: 5 }, (_, n) => work(store.db, `r${round}-${n}`)),
        ...sequencers.map((sequencer) => sequencer.runOnce()),
      ])
    }
    await chainAll(store.db, sequencers[0] as Sequencer)
    expect((await chained(store.db)).map(({ seq }) => seq)).toEqual(numbersUpTo(before + 100))
    expect(await verifyExport(each(await exportedLines(store.db)))).toMatchObject({ ok: true })
  })
})
