import type { Scope } from '../src/storage/scope.ts'
import { type Statement, sql } from '../src/storage/sql.ts'

const DEALS = 90
const PARTIES = 5
const PARTNERS = 3

export interface Deal {
  readonly id: string
  readonly party: string
  readonly partner: string
  readonly amount: number
}

export const deals: readonly Deal[] = Array.from({ length: DEALS }, (_, n) => ({
  id: `d${String(n).padStart(4, '0')}`,
  party: `p${n % PARTIES}`,
  partner: `q${n % PARTNERS}`,
  amount: n,
}))

export const CALLERS: readonly Scope[] = [
  { rows: 'ALL' },
  { rows: 'NONE' },
  ...[0, 1, 2, 3, 4, 9].map((n): Scope => ({ rows: 'ROWS', partyId: `p${n}` })),
  ...[0, 1, 2].map((n): Scope => ({ rows: 'ROWS', partnerId: `q${n}` })),
  { rows: 'ROWS', partyId: 'p1', partnerId: 'q2' },
  { rows: 'ROWS' },
]

export const SOME_CALLERS: readonly Scope[] = [
  { rows: 'ROWS', partyId: 'p2' },
  { rows: 'ALL' },
  { rows: 'ROWS', partnerId: 'q1' },
]

export function visibleTo({ rows, partyId, partnerId }: Scope): Deal[] {
  if (rows !== 'ROWS') return rows === 'ALL' ? [...deals] : []
  if (partyId === undefined && partnerId === undefined) return []
  return deals.filter(
    (deal) =>
      (partyId === undefined || deal.party === partyId) &&
      (partnerId === undefined || deal.partner === partnerId),
  )
}

/** Reads the setting plainly in one table, through a subselect and another table in the second. */
export function dealTables(appRole: string): string {
  return `
    create function setting(name text) returns text language sql stable parallel safe
      return nullif(current_setting('tfs.' || name, true), '');
    create table deal (
      id text primary key, party text not null, partner text not null, amount bigint not null);
    create index deal_by_party on deal (party, id);
    create table line (
      deal_id text not null references deal, number integer not null,
      primary key (deal_id, number));
    insert into deal
      select 'd' || lpad(n::text, 4, '0'), 'p' || n % ${PARTIES}, 'q' || n % ${PARTNERS}, n
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

export interface ReadCase {
  readonly name: string
  readonly statement: Statement
  readonly expected: (seen: readonly Deal[]) => unknown
}

const sum = (seen: readonly Deal[]): number => seen.reduce((total, deal) => total + deal.amount, 0)
const ids = (seen: readonly Deal[]): { id: string }[] => seen.map(({ id }) => ({ id }))

export const READ_CASES: readonly ReadCase[] = [
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
      select count(*) as n
        from deal a join deal b on b.amount = a.amount join line on deal_id = b.id`,
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

export const PLANNERS: readonly [string, Readonly<Record<string, string>>][] = [
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
      max_parallel_workers_per_gather: '1',
    },
  ],
]
