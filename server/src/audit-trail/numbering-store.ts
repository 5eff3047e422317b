import { type Statement, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'

/** What is numbered: rows that writers leave with their transaction's xid, without waiting. */
export interface Numbered {
  readonly name: 'audit' | 'event'
  /** `from` and its alias `e`. */
  readonly source: Statement
  readonly columns: Statement
  /** True for a row of `e` that has its number. */
  readonly isNumbered: Statement
}

/** A window is scanned once per batch of it, so it is bounded too. */
const WINDOW_ROWS = 5_000

interface Ordered {
  readonly ordinal: number
}

interface Position {
  readonly from: string
  readonly to: string
  readonly ordinal: number
  readonly top: number
}

/** Every xid below `xmin` has ended; none from `xmax` on was given out yet. */
interface Horizon {
  readonly xmin: string
  readonly xmax: string
}

/** False while another process numbers. Ends with the transaction. */
export async function lockNumbering(tx: Tx): Promise<boolean> {
  const { locked } = await tx.one<{ locked: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended('tfs.sequencer.' || current_schema(), 0))
      as locked`)
  return locked
}

/** One cheap question, so that idle time costs no transaction. */
export async function isNumberingDue(read: Read, { name, source }: Numbered): Promise<boolean> {
  const { due } = await read.one<{ due: boolean }>(sql`
    select p.from_xid < p.to_xid or p.to_xid > s.xmin
           or coalesce((select e.xid from ${source} where e.xid >= p.to_xid
                         order by e.xid limit 1) < s.xmin, false) as due
      from sequencer_position p,
           (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) s
     where p.name = ${name}`)
  return due
}

/**
 * The next rows to number, in order, and the position moved behind them. A row is ready once every
 * transaction with a lower or equal xid has ended: none can appear before it any more. Inside a window
 * of such rows the order of insertion decides, so that a change which waited for another comes after it.
 */
export async function takeNext<Row extends Ordered>(
  tx: Tx,
  numbered: Numbered,
  limit: number,
): Promise<Row[]> {
  const position = await tx.one<Position>(sql`
    select from_xid::text as "from", to_xid::text as "to", ordinal, top
      from sequencer_position where name = ${numbered.name}`)
  if (position.from !== position.to) return takeFrom(tx, numbered, position, limit)
  const horizon = await tx.one<Horizon>(sql`
    select pg_snapshot_xmin(s)::text as xmin, pg_snapshot_xmax(s)::text as xmax
      from pg_current_snapshot() s`)
  if (BigInt(position.to) > BigInt(horizon.xmin)) {
    return takeRestored(tx, numbered, position, horizon, limit)
  }
  const to = await windowEnd(tx, numbered, position.to, horizon.xmin)
  return takeFrom(tx, numbered, { ...position, to, ordinal: 0 }, limit)
}

/** Never between two rows of one transaction; one that is larger than a window is a window itself. */
async function windowEnd(
  tx: Tx,
  { source }: Numbered,
  from: string,
  xmin: string,
): Promise<string> {
  const beyond = await tx.maybeOne<{ xid: string }>(sql`
    select e.xid::text as xid from ${source}
     where e.xid >= ${from}::xid8 and e.xid < ${xmin}::xid8
     order by e.xid limit 1 offset ${WINDOW_ROWS}`)
  if (beyond === undefined) return xmin
  return beyond.xid === from ? String(BigInt(from) + 1n) : beyond.xid
}

async function takeFrom<Row extends Ordered>(
  tx: Tx,
  { name, source, columns, isNumbered }: Numbered,
  { from, to, ordinal, top }: Position,
  limit: number,
): Promise<Row[]> {
  const next = await tx.rows<Ordered & { readonly id: string }>(sql`
    with ready as materialized (
      select e.id, e.ordinal from ${source} where e.xid >= ${from}::xid8 and e.xid < ${to}::xid8)
    select id, ordinal from ready where ordinal > ${ordinal} order by ordinal limit ${limit}`)
  const last = next.at(-1)?.ordinal ?? 0
  const isDone = next.length < limit
  await tx.run(sql`
    update sequencer_position
       set from_xid = ${isDone ? to : from}::xid8, to_xid = ${to}::xid8,
           ordinal = ${isDone ? 0 : last}, top = ${Math.max(top, last)}
     where name = ${name}`)
  if (next.length === 0) return []
  return tx.rows(sql`
    select ${columns}, e.ordinal from ${source}
     where e.id = any (${next.map(({ id }) => id)}::text[]) and not ${isNumbered}
     order by e.ordinal`)
}

/**
 * xids that lie ahead of the server's own: the database was restored from a dump into another server.
 * What came with the dump is numbered first, then the count begins anew behind it.
 */
async function takeRestored<Row extends Ordered>(
  tx: Tx,
  numbered: Numbered,
  position: Position,
  { xmin, xmax }: Horizon,
  limit: number,
): Promise<Row[]> {
  const { name, source, columns, isNumbered } = numbered
  const rows = await tx.rows<Row>(sql`
    select ${columns}, e.ordinal from ${source}
     where e.xid >= ${position.to}::xid8 and e.xid >= ${xmax}::xid8 and not ${isNumbered}
     order by e.ordinal limit ${limit}`)
  const top = Math.max(position.top, ...rows.map(({ ordinal }) => ordinal))
  if (rows.length === limit) {
    await tx.run(sql`update sequencer_position set top = ${top} where name = ${name}`)
    return rows
  }
  await tx.run(sql`
    update sequencer_position
       set from_xid = '0', to_xid = ${xmin}::xid8, ordinal = ${top}, top = ${top}
     where name = ${name}`)
  return rows
}
