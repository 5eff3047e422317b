import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { eachStore, type TestStore } from '../../test/stores.ts'
import { withContext } from './context.ts'
import { openPostgres } from './postgres.ts'
import type { Scope } from './scope.ts'
import { type Statement, sql } from './sql.ts'
import type { Db } from './tx.ts'

const DEALS = 90
const PARTIES = 5
const PARTNERS = 3

interface Deal {
  readonly id: string
  readonly party: string
  readonly partner: string
  readonly amount: number
}

const deals: readonly Deal[] = Array.from({ length: DEALS }, (_, n) => ({
  id: `d${String(n).padStart(4, '0')}`,
  party: `p${n % PARTIES}`,
  partner: `q${n % PARTNERS}`,
  amount: n,
}))

const CALLERS: readonly Scope[] = [
  { rows: 'ALL' },
  { rows: 'NONE' },
  ...[0, 1, 2, 3, 4, 9].map((n): Scope => ({ rows: 'ROWS', partyId: `p${n}` })),
  ...[0, 1, 2].map((n): Scope => ({ rows: 'ROWS', partnerId: `q${n}` })),
  { rows: 'ROWS', partyId: 'p1', partnerId: 'q2' },
  { rows: 'ROWS' },
]

const SOME_CALLERS: readonly Scope[] = [
  { rows: 'ROWS', partyId: 'p2' },
  { rows: 'ALL' },
  { rows: 'ROWS', partnerId: 'q1' },
]

function visibleTo({ rows, partyId, partnerId }: Scope): Deal[] {
  if (rows !== 'ROWS') return rows === 'ALL' ? [...deals] : []
  if (partyId === undefined && partnerId === undefined) return []
  return deals.filter(
    (deal) =>
      (partyId === undefined || deal.party === partyId) &&
      (partnerId === undefined || deal.partner === partnerId),
  )
}

/** Reads the setting plainly in one table, through a subselect and another table in the second. */
function tables(appRole: string): string {
  return `
    create function setting(name text) returns text language sql stable parallel safe
      return nullif(current_setting('tfs.' || name, true), '');
    create table deal (id text primary key, party text not null, partner text not null, amount bigint not null);
    create index deal_by_party on deal (party, id);
    create table line (deal_id text not null references deal, number integer not null, primary key (deal_id, number));
    insert into deal select 'd' || lpad(n::text, 4, '0'), 'p' || n % ${PARTIES}, 'q' || n % ${PARTNERS}, n
      from generate_series(0, ${DEALS - 1}) n;
    insert into line select id, number from deal, generate_series(1, 2) number;
    alter table deal enable row level security; alter table deal force row level security;
    alter table line enable row level security; alter table line force row level security;
    create policy deal_rows on deal using (
      setting('scope') = 'ALL' or (setting('scope') = 'ROWS'
        and coalesce(setting('party'), setting('partner')) is not null
        and (setting('party') is null or party = setting('party'))
        and (setting('partner') is null or partner = setting('partner'))));
    create policy line_rows on line using (
      (select setting('scope')) = 'ALL' or exists (select from deal where deal.id = deal_id));
    grant select on deal, line to "${appRole}";
    analyze deal; analyze line`
}

interface Case {
  readonly name: string
  readonly statement: Statement
  readonly expected: (seen: readonly Deal[]) => unknown
}

const sum = (seen: readonly Deal[]): number => seen.reduce((total, deal) => total + deal.amount, 0)
const ids = (seen: readonly Deal[]): { id: string }[] => seen.map(({ id }) => ({ id }))

const CASES: readonly Case[] = [
  {
    name: 'a row by id',
    statement: sql`select id from deal where id = ${'d0011'}`,
    expected: (seen) => ids(seen.filter(({ id }) => id === 'd0011')),
  },
  {
    name: 'a list without any condition',
    statement: sql`select id from deal order by id`,
    expected: ids,
  },
  {
    name: 'a page in descending order',
    statement: sql`select id from deal where id < ${'d0060'} order by id desc limit ${7}`,
    expected: (seen) =>
      ids(
        seen
          .filter(({ id }) => id < 'd0060')
          .reverse()
          .slice(0, 7),
      ),
  },
  {
    name: 'a count',
    statement: sql`select count(*) as n from deal`,
    expected: (seen) => [{ n: seen.length }],
  },
  {
    name: 'a sum that is asked for as a single value',
    statement: sql`select (select coalesce(sum(amount), 0)::bigint from deal) as n`,
    expected: (seen) => [{ n: sum(seen) }],
  },
  {
    name: 'a join with conditions on both sides',
    statement: sql`
      select d.id from deal d join line l on l.deal_id = d.id
       where l.number = 2 and d.amount >= ${40} order by d.id`,
    expected: (seen) => ids(seen.filter(({ amount }) => amount >= 40)),
  },
  {
    name: 'a join of a table with itself on a column without index',
    statement: sql`
      select count(*) as n from deal a join deal b on b.amount = a.amount join line on deal_id = b.id`,
    expected: (seen) => [{ n: 2 * seen.length }],
  },
  {
    name: 'an outer join that begins at foreign names',
    statement: sql`
      select count(d.id) as n from generate_series(0, ${DEALS - 1}) n
        left join deal d on d.amount = n`,
    expected: (seen) => [{ n: seen.length }],
  },
  {
    name: 'a table expression, materialized and not',
    statement: sql`
      with kept as materialized (select id, amount from deal), lines as (select deal_id from line)
      select count(distinct id) as n from kept where id in (select deal_id from lines)`,
    expected: (seen) => [{ n: seen.length }],
  },
  {
    name: 'a recursive table expression',
    statement: sql`
      with recursive step (n) as (
        select 0 union all select n + 1 from step where n < (select count(*) from deal))
      select max(n) as n from step`,
    expected: (seen) => [{ n: seen.length }],
  },
  {
    name: 'groups with a window over them',
    statement: sql`
      select party, count(*) as n, sum(count(*)) over (order by party)::bigint as running
        from deal group by party order by party`,
    expected: (seen) => {
      const parties = [...new Set(seen.map(({ party }) => party))].sort()
      let running = 0
      return parties.map((party) => {
        const n = seen.filter((deal) => deal.party === party).length
        running += n
        return { party, n, running }
      })
    },
  },
  {
    name: 'a union, a lateral and a subquery that matches nothing outside',
    statement: sql`
      select id from deal where exists (select from line where deal_id = id) and amount < ${50}
      union all
      select x.id from (select distinct party from deal) p,
             lateral (select id from deal d where d.party = p.party order by id limit 0) x
      order by id`,
    expected: (seen) => ids(seen.filter(({ amount }) => amount < 50)),
  },
]

const PLANNERS: readonly [string, Readonly<Record<string, string>>][] = [
  ['plans as they come', {}],
  ['nested loops only', { enable_hashjoin: 'off', enable_mergejoin: 'off' }],
  ['hash joins only', { enable_nestloop: 'off', enable_mergejoin: 'off' }],
  ['merge joins only', { enable_nestloop: 'off', enable_hashjoin: 'off' }],
  ['index scans only', { enable_seqscan: 'off', enable_bitmapscan: 'off' }],
  ['bitmap scans only', { enable_seqscan: 'off', enable_indexscan: 'off' }],
  ['sequential scans only', { enable_indexscan: 'off', enable_bitmapscan: 'off' }],
  ['nothing kept in memory', { enable_material: 'off', enable_sort: 'off' }],
  ['generic plans', { plan_cache_mode: 'force_generic_plan' }],
  ['custom plans', { plan_cache_mode: 'force_custom_plan' }],
  [
    'parallel plans wherever allowed',
    {
      parallel_setup_cost: '0',
      parallel_tuple_cost: '0',
      min_parallel_table_scan_size: '0',
      min_parallel_index_scan_size: '0',
      max_parallel_workers_per_gather: '4',
    },
  ],
]

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
    beforeAll(() => store.owner(tables(store.appRole)))

    describe.each(PLANNERS)('%s', (_, settings) => {
      test.each(CASES)('exactly the rows of each caller in turn: $name', async (one) => {
        await withPlanner(store, settings, async (db) => {
          for (const scope of [...CALLERS, ...CALLERS.toReversed()]) {
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
        for (const { name, statement } of CASES) {
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
        const one = CASES[n % CASES.length] as Case
        const read = await store.db.read(scope, (read) => read.rows(one.statement))
        expect(read, `${one.name} ${JSON.stringify(scope)}`).toEqual(one.expected(visibleTo(scope)))
      })
      await Promise.all(asked)
    })

    test('no context remains for the next statement of the connection', async () => {
      const settings = sql`
        select current_setting('tfs.scope', true) as scope, current_setting('tfs.party', true) as party,
               current_setting('tfs.partner', true) as partner, current_setting('tfs.subject', true) as subject`
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
