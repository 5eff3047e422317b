import { type Statement, sql, Statement as Text } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'

/** A scene began at `real` by the database's clock and is told as of `told`. */
export interface Mark {
  readonly real: string
  readonly told: string
}

/** Held to the end of the transaction: no row of anybody else can come between. */
export async function keepOthersOut(tx: Tx): Promise<void> {
  await tx.run(
    new Text(`lock table ${Object.keys(updates).join(', ')} in share row exclusive mode`, []),
  )
}

/**
 * Moves every instant that the story left behind to the day that it is told of. For the owner, over a
 * story that this very transaction told into an empty database, and nothing else.
 *
 * The guards of these tables say "now is now" and "this is never changed", and their policies let nobody
 * rewrite the trail. Only their owner can lift both, and here it happens inside one transaction: nobody
 * else ever sees them lifted, and nothing can leave them so.
 */
export async function backDate(tx: Tx, marks: readonly Mark[]): Promise<void> {
  for (const [table, update] of Object.entries(updates)) {
    const { rows } = await tx.one<{ rows: number }>(
      new Text(`select count(*)::integer as rows from ${table}`, []),
    )
    await tx.run(new Text(`alter table ${table} ${LIFTED}`, []))
    const moved = await tx.run(sql`${markTable(marks)} ${update}`)
    await tx.run(new Text(`alter table ${table} ${IN_FORCE}`, []))
    if (moved !== rows) throw new Error(`Of ${rows} rows of ${table} ${moved} could be back-dated.`)
  }
}

/** `user` leaves the foreign keys in force. */
const LIFTED = 'disable trigger user, no force row level security'
const IN_FORCE = 'enable trigger user, force row level security'

/** One row: when the scenes began, and how far each is moved. */
function markTable(marks: readonly Mark[]): Statement {
  return sql`with mark (began, shift) as materialized (
    select array_agg(real order by real), array_agg(told - real order by real)
      from unnest(${marks.map(({ real }) => real)}::timestamptz[],
                  ${marks.map(({ told }) => told)}::timestamptz[]) as marks (real, told))`
}

/** As far after the beginning of its scene as it really was. */
function moved(instant: Statement): Statement {
  return sql`(select ${instant} + shift[width_bucket(${instant}, began)] from mark)`
}

/** Preparations and decisions carry their instant as text (see storage/instant-now.ts). */
function movedList(list: Statement): Statement {
  const at = moved(sql`(entry ->> 'at')::timestamptz`)
  return sql`(select coalesce(jsonb_agg(entry || jsonb_build_object('at',
                       to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
                     order by place), '[]')
                from jsonb_array_elements(${list}) with ordinality as listed (entry, place))`
}

function movedOf(name: string): Statement {
  return moved(sql`(snapshot ->> ${new Text(`'${name}'`, [])})::timestamptz`)
}

const created = sql`created_at = ${moved(sql`created_at`)}, updated_at = ${moved(sql`updated_at`)}`
const told = sql`prepared_by = ${movedList(sql`prepared_by`)}, decisions = ${movedList(sql`decisions`)}`

/** Where the story leaves instants behind, table by table. */
const updates = {
  partner: sql`update partner set ${created}`,
  party: sql`update party set ${created}`,
  request: sql`update request set ${created}`,
  change: sql`update change set ${created}, ${told}`,
  contract: sql`
    update contract
       set ${created}, ${told}, submitted_at = ${moved(sql`submitted_at`)},
           activated_at = ${moved(sql`activated_at`)}`,
  contract_version: sql`
    update contract_version
       set at = ${moved(sql`at`)},
           snapshot = snapshot || jsonb_build_object(
             'created_at', ${movedOf('created_at')}, 'updated_at', ${movedOf('updated_at')},
             'submitted_at', ${movedOf('submitted_at')}, 'activated_at', ${movedOf('activated_at')},
             'prepared_by', ${movedList(sql`snapshot -> 'prepared_by'`)},
             'decisions', ${movedList(sql`snapshot -> 'decisions'`)})`,
  contract_note: sql`update contract_note set written_at = ${moved(sql`written_at`)}`,
  audit_entry: sql`update audit_entry set at = ${moved(sql`at`)}`,
  event: sql`update event set at = ${moved(sql`at`)}`,
} as const satisfies Readonly<Record<string, Statement>>
