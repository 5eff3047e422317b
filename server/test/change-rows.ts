import { SqlFault } from '../src/storage/failures.ts'
import { joined, Statement, sql } from '../src/storage/sql.ts'
import type { Assignments } from './contract-changes.ts'
import { type Actor, decisionBy, keysOf, refOf } from './contract-stories.ts'
import type { TestStore } from './stores.ts'

export const jsonb = (value: unknown): Statement => sql`${value}::jsonb`
export const keys = (...values: (string | null)[]): Statement => sql`${values}::text[]`

export const touched = (actor: Actor): Assignments => ({
  version: sql`version + 1`,
  updated_by: jsonb(refOf(actor)),
  updated_at: sql`clock_timestamp()`,
})

/** A change decided as the application does it. */
export const decidesChange = (actor: Actor, state = 'APPROVED'): Assignments => ({
  state: sql`${state}`,
  decider: keys(...keysOf(actor)),
  decisions: sql`decisions || ${decisionBy(actor, state)}`,
  ...touched(actor),
})

export const withdrawsChange = (actor: Actor): Assignments => ({
  state: sql`'WITHDRAWN'`,
  withdrawal_reason: sql`'As agreed.'`,
  ...touched(actor),
})

export function updateIn(table: string, id: string, assignments: Assignments): Statement {
  const parts = Object.entries(assignments).map(
    ([column, value]) => sql`${new Statement(`${column} = `, [])}${value}`,
  )
  return sql`update ${new Statement(table, [])} set ${joined(parts, ', ')} where id = ${id}`
}

/** The row as it stands, as a new one, with some columns replaced. */
export function copyIn(table: string, id: string, replaced: Assignments): Statement {
  const members = Object.entries(replaced).map(
    ([column, value]) => sql`${column}::text, to_jsonb(${value})`,
  )
  const name = new Statement(table, [])
  return sql`
    insert into ${name}
    select (jsonb_populate_record(t, to_jsonb(t) || jsonb_build_object(${joined(members, ', ')}))).*
      from ${name} t where id = ${id}`
}

/** Brings deferred constraints forward, as the end of the transaction would. */
export const AT_THE_END: Statement = sql`set constraints all immediate`

export type Taken = number | SqlFault

/**
 * Statements of one transaction as the application's role; what the last of them came to, or the first
 * refusal. Nothing of it remains.
 */
export async function triedInOrder(
  store: TestStore,
  actor: Actor | undefined,
  statements: readonly Statement[],
  scope: { readonly partnerId?: string; readonly partyId?: string } = {},
): Promise<Taken> {
  const rows = Object.keys(scope).length === 0 ? 'ALL' : 'ROWS'
  let taken: Taken = 0
  const back = new Error('taken back')
  await store.db
    .write({ rows, ...scope, ...(actor && { subject: actor.subject }) }, async (tx) => {
      for (const statement of statements) taken = await tx.run(statement)
      throw back
    })
    .catch((error: unknown) => {
      if (error === back) return
      if (!(error instanceof SqlFault)) throw error
      taken = error
    })
  return taken
}
