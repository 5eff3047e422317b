import { setImmediate as turn } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { SqlFault } from './failures.ts'
import { sql } from './sql.ts'
import type { Tx } from './tx.ts'

const ALL = { rows: 'ALL' } as const
const LEFTOVER = sql`select id, n from item order by id`

eachStore(
  (store) => {
    beforeAll(() =>
      store.owner(`
        create table item (id text primary key, n integer not null check (n >= 0));
        grant select, insert, update, delete on item to "${store.appRole}"`),
    )
    beforeEach(() => store.owner('delete from item'))

    const add = (tx: Tx, id: string, n = 0): Promise<number> =>
      tx.run(sql`insert into item (id, n) values (${id}, ${n})`)
    const items = (): Promise<unknown[]> => store.db.read(ALL, (read) => read.rows(LEFTOVER))

    test('work that resolves is kept', async () => {
      const answer = await store.db.write(ALL, async (tx) => {
        await add(tx, 'a')
        return 'done'
      })
      expect(answer).toBe('done')
      expect(await items()).toEqual([{ id: 'a', n: 0 }])
    })

    test('work that throws leaves nothing, and its own error is told', async () => {
      const work = store.db.write(ALL, async (tx) => {
        await add(tx, 'a')
        throw new Error('changed my mind')
      })
      await expect(work).rejects.toThrow('changed my mind')
      expect(await items()).toEqual([])
    })

    test('work that ignores a refused statement is not kept and not told as kept', async () => {
      const work = store.db.write(ALL, async (tx) => {
        await add(tx, 'a')
        await add(tx, 'a').catch(() => 0)
      })
      await expect(work).rejects.toThrow('a refused statement was ignored')
      expect(await items()).toEqual([])
    })

    test('a savepoint takes back its own part only, however deep', async () => {
      await store.db.write(ALL, async (tx) => {
        await add(tx, 'a')
        const refused = tx.savepoint(async () => {
          await add(tx, 'b')
          await tx.savepoint(() => add(tx, 'c'))
          await add(tx, 'd', -1)
        })
        await expect(refused).rejects.toThrow(SqlFault)
        expect(await tx.savepoint(() => add(tx, 'e'))).toBe(1)
      })
      expect(await items()).toEqual([
        { id: 'a', n: 0 },
        { id: 'e', n: 0 },
      ])
    })

    test('run answers how many rows it touched', async () => {
      const counts = await store.db.write(ALL, async (tx) => [
        await tx.run(sql`insert into item select 'i' || n, n from generate_series(1, 12) n`),
        await tx.run(sql`update item set n = n + 1 where n > ${2}`),
        await tx.run(sql`update item set n = 0 where false`),
        await tx.run(sql`delete from item`),
      ])
      expect(counts).toEqual([12, 10, 0, 12])
    })

    test('one and maybeOne refuse more rows than they promise', async () => {
      const none = sql`select 1 as n where false`
      const two = sql`select n from generate_series(1, 2) n`
      await store.db.snapshot(ALL, async (read) => {
        expect(await read.maybeOne(none)).toBeUndefined()
        await expect(read.one(none)).rejects.toThrow('0 rows where exactly one was expected')
        await expect(read.one(two)).rejects.toThrow('2 rows where exactly one was expected')
        await expect(read.maybeOne(two)).rejects.toThrow('2 rows where at most one was expected')
      })
    })

    test('a snapshot refuses to write', async () => {
      const sneaky = store.db.snapshot(ALL, (read) =>
        read.rows(sql`insert into item values ('a', 0) returning id`),
      )
      await expect(sneaky).rejects.toMatchObject({ sqlState: '25006' })
    })

    test('a read refuses to write', async () => {
      const sneaky = store.db.read(ALL, (read) =>
        read.rows(
          sql`with made as (insert into item values ('a', 0) returning id) select id from made`,
        ),
      )
      await expect(sneaky).rejects.toThrow(SqlFault)
      expect(await items()).toEqual([])
    })

    test('a tx is of no use after its transaction', async () => {
      let kept: Tx | undefined
      await store.db.write(ALL, async (tx) => {
        kept = tx
      })
      await expect(add(kept as Tx, 'late')).rejects.toThrow('The transaction has ended')
      await expect((kept as Tx).savepoint(async () => 1)).rejects.toThrow(
        'The transaction has ended',
      )
      expect(await items()).toEqual([])
    })

    test('asking the database from inside a transaction is refused, not left waiting', async () => {
      const nested = store.db.write(ALL, () => store.db.read(ALL, (read) => read.rows(LEFTOVER)))
      await expect(nested).rejects.toThrow('use its tx')
      let later: Promise<unknown> = Promise.resolve()
      const over = Promise.withResolvers<void>()
      await store.db.write(ALL, async () => {
        later = over.promise.then(() => items())
      })
      over.resolve()
      expect(await later).toEqual([])
    })

    test('no statement of others falls into a transaction', async () => {
      const transactions = Array.from({ length: 20 }, (_, n) =>
        store.db.write(ALL, async (tx) => {
          const before = await tx.one<{ xid: string }>(
            sql`select pg_current_xact_id()::text as xid`,
          )
          await turn()
          await add(tx, `t${n}`)
          await turn()
          const after = await tx.one<{ xid: string }>(sql`select pg_current_xact_id()::text as xid`)
          expect(after).toEqual(before)
          if (n % 2 === 1) throw new Error('odd')
          return before.xid
        }),
      )
      const reads = Array.from({ length: 20 }, items)
      const [outcomes] = await Promise.all([Promise.allSettled(transactions), Promise.all(reads)])
      const kept = outcomes.flatMap((outcome) =>
        outcome.status === 'fulfilled' ? [outcome.value] : [],
      )
      expect(new Set(kept).size).toBe(10)
      expect(await items()).toHaveLength(10)
    })

    test('statements given at once run in their order', async () => {
      const answers = await store.db.write(ALL, async (tx) =>
        Promise.all([
          add(tx, 'a', 1),
          tx.run(sql`update item set n = n * 10`),
          tx.run(sql`update item set n = n + 5`),
          tx.one(sql`select n from item`),
        ]),
      )
      expect(answers[3]).toEqual({ n: 15 })
    })
  },
  { migrations: false },
)
