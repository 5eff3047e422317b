import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  CALLERS,
  deals,
  dealTables,
  PLANNERS,
  READ_CASES,
  type ReadCase,
  SOME_CALLERS,
  visibleTo,
} from '../../test/scoped-deals.ts'
import { eachStore, type TestStore } from '../../test/stores.ts'
import { connect } from './connection.ts'
import { withContext } from './context.ts'
import { openPostgres } from './postgres.ts'
import type { Scope } from './scope.ts'
import type { Session } from './session.ts'
import { type Statement, sql } from './sql.ts'
import type { Db } from './tx.ts'

/** One connection only, so that every caller follows another one on it. */
async function withPlanner(
  store: TestStore,
  settings: Readonly<Record<string, string>>,
  work: (db: Db) => Promise<void>,
): Promise<void> {
  if (store.kind === 'embedded') {
    const script = Object.entries(settings).map(([name, value]) => `set ${name} to ${value};`)
    const reset = Object.keys(settings).map((name) => `reset ${name};`)
    await store.owner(script.join(''))
    await work(store.db).finally(() => store.owner(reset.join('')))
    return
  }
  const url = new URL(inject('postgresTests').appUrl)
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
  const db = openPostgres({ url: url.href, schema: store.schema, poolSize: 1 })
  await work(db).finally(() => db.close())
}

/** A connection of the application that nothing has set a context on. */
async function aloneAsApplication(store: TestStore): Promise<Session & { end(): Promise<void> }> {
  if (store.kind === 'postgres') {
    const session = connect({
      url: inject('postgresTests').appUrl,
      schema: store.schema,
      applicationName: 'test',
      statementTimeoutMs: 5_000,
    })
    return { ...session, end: session.close }
  }
  const freed = Promise.withResolvers<void>()
  const got = Promise.withResolvers<Session>()
  const used = store.rights.use(async (session) => {
    await session.script(`set role "${store.appRole}"`)
    got.resolve(session)
    await freed.promise
    await session.script('reset role')
  })
  const end = async (): Promise<void> => {
    freed.resolve()
    await used
  }
  return { ...(await got.promise), end }
}

interface Plan {
  readonly 'Node Type': string
  readonly Plans: readonly Plan[]
}

/** Without the context itself, which is listed first among the plans of the topmost node. */
async function planOf(
  store: TestStore,
  settings: Readonly<Record<string, string>>,
  { text, values }: Statement,
): Promise<Plan> {
  return store.rights.use(async (session) => {
    const local = Object.entries(settings).map(([name, value]) => `set local ${name} to ${value};`)
    await session.script(`begin; ${local.join('')}`)
    const explain = `explain (format json, costs off) ${withContext(text, values.length)}`
    const { rows } = await session.query(explain, [...values, 'ALL', '', '', ''])
    await session.script('rollback')
    const [{ 'QUERY PLAN': plans }] = rows as [{ 'QUERY PLAN': [{ Plan: Plan }] }]
    const [{ Plan: plan }] = plans
    return { ...plan, Plans: plan.Plans.filter((part) => !('Subplan Name' in part)) }
  })
}

eachStore(
  (store) => {
    beforeAll(() => store.owner(dealTables(store.appRole)))

    describe.each(PLANNERS)('%s', (_, settings) => {
      test.each(READ_CASES)('exactly the rows of each caller in turn: $name', async (one) => {
        await withPlanner(store, settings, async (db) => {
          for (const scope of CALLERS) {
            const seen = one.expected(visibleTo(scope))
            const read = await db.read(scope, (read) => read.rows(one.statement))
            expect(read, JSON.stringify(scope)).toEqual(seen)
          }
          for (const scope of SOME_CALLERS) {
            const seen = one.expected(visibleTo(scope))
            const snapshot = await db.snapshot(scope, (read) => read.rows(one.statement))
            expect(snapshot, JSON.stringify(scope)).toEqual(seen)
            const written = await db.write(scope, (tx) => tx.rows(one.statement))
            expect(written, JSON.stringify(scope)).toEqual(seen)
          }
        })
      })
    })

    test.each(PLANNERS)(
      'the context is evaluated before the statement: %s',
      async (_, settings) => {
        for (const { name, statement } of READ_CASES) {
          const plan = await planOf(store, settings, statement)
          const [outer, inner] = plan.Plans as [Plan, Plan]
          expect(plan['Node Type'], name).toBe('Nested Loop')
          expect(outer, name).toMatchObject({ 'Node Type': 'CTE Scan', 'CTE Name': 'context' })
          expect(JSON.stringify(inner), name).toContain('context.scope IS NOT NULL')
          expect(JSON.stringify(plan), name).not.toContain('Gather')
        }
      },
    )

    test('exactly the own rows while many callers ask at once', async () => {
      const asked = Array.from({ length: 600 }, async (_, n) => {
        const scope = CALLERS[n % CALLERS.length] as Scope
        const one = READ_CASES[n % READ_CASES.length] as ReadCase
        const read = await store.db.read(scope, (read) => read.rows(one.statement))
        expect(read, `${one.name} ${JSON.stringify(scope)}`).toEqual(one.expected(visibleTo(scope)))
      })
      await Promise.all(asked)
    })

    test('no context remains for the next statement of the connection', async () => {
      const settings = sql`
        select current_setting('tfs.scope', true) as scope,
               current_setting('tfs.party', true) as party,
               current_setting('tfs.partner', true) as partner,
               current_setting('tfs.subject', true) as subject`
      const full: Scope = { rows: 'ROWS', partyId: 'p1', partnerId: 'q1', subject: 's1' }
      const seen = { scope: 'ROWS', party: 'p1', partner: 'q1', subject: 's1' }
      await withPlanner(store, {}, async (db) => {
        expect(await db.read(full, (read) => read.one(settings))).toEqual(seen)
        expect(await db.write(full, (tx) => tx.one(settings))).toEqual(seen)
        const empty = { scope: 'NONE', party: '', partner: '', subject: '' }
        expect(await db.read({ rows: 'NONE' }, (read) => read.one(settings))).toEqual(empty)
        expect(await db.snapshot({ rows: 'NONE' }, (read) => read.one(settings))).toEqual(empty)
      })
    })

    test('nothing is shown without a context, before and after work that had one', async () => {
      const alone = await aloneAsApplication(store)
      const count = 'select count(*) as n from deal'
      const all = withContext(count, 0)
      try {
        expect((await alone.query(count, [])).rows).toEqual([{ n: 0 }])
        expect((await alone.query(all, ['ALL', '', '', ''])).rows).toEqual([{ n: deals.length }])
        expect((await alone.query(count, [])).rows).toEqual([{ n: 0 }])
        await alone.script(`begin; select set_config('tfs.scope', 'ALL', true); commit`)
        expect((await alone.query(count, [])).rows).toEqual([{ n: 0 }])
      } finally {
        await alone.end()
      }
    })

    test.runIf(store.kind === 'postgres')(
      'workers of a parallel plan know the context',
      async () => {
        const parallel = Object.fromEntries(PLANNERS)['parallel plans wherever allowed'] ?? {}
        await withPlanner(store, parallel, async (db) => {
          await db.snapshot({ rows: 'ROWS', partyId: 'p3' }, async (read) => {
            const plan = await read.rows(sql`explain (analyze) select sum(amount) from deal`)
            expect(JSON.stringify(plan)).toMatch(/Workers Launched: [1-9]/)
            const counted = await read.one(sql`select count(*) as n, min(party) as party from deal`)
            expect(counted).toEqual({
              n: visibleTo({ rows: 'ROWS', partyId: 'p3' }).length,
              party: 'p3',
            })
          })
        })
      },
    )

    test('a scope cannot speak SQL', async () => {
      const scope: Scope = {
        rows: 'ROWS',
        partyId: "p1' or '1'='1",
        subject: "'; drop table deal; --",
      }
      const count = await store.db.read(scope, (read) =>
        read.one(sql`select count(*) as n from deal`),
      )
      expect(count).toEqual({ n: 0 })
    })

    afterEach(() => expect(store.db.pool()).toMatchObject({ busy: 0, waiting: 0 }))
  },
  { migrations: false },
)
