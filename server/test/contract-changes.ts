import { expect } from 'vitest'
import { contextValuesOf, SET_CONTEXT } from '../src/storage/context.ts'
import { SqlFault } from '../src/storage/failures.ts'
import { joined, Statement, sql } from '../src/storage/sql.ts'
import { type Actor, dbNow, decisionBy, keysOf, refOf } from './contract-stories.ts'
import type { TestStore } from './stores.ts'

/** Columns and what they become: changes to the table that no operation of ours makes. */
export type Assignments = Readonly<Record<string, Statement>>

const touched = (actor: Actor): Assignments => ({
  version: sql`version + 1`,
  updated_by: sql`${refOf(actor)}::jsonb`,
  updated_at: sql`clock_timestamp()`,
})

const prepared = (actor: Actor): Assignments => ({
  decider: sql`null`,
  preparers: sql`preparers || ${keysOf(actor)}::text[]`,
  prepared_by: sql`prepared_by || jsonb_build_array(
    ${refOf(actor)}::jsonb || jsonb_build_object('at', ${dbNow}))`,
})

export const edits = (actor: Actor): Assignments => ({
  external_ref: sql`'R-2'`,
  ref_folded: sql`'r-2'`,
  content_hash: sql`repeat('a', 64)`,
  ...prepared(actor),
  ...touched(actor),
})

export const submits = (actor: Actor): Assignments => ({
  state: sql`'PENDING_APPROVAL'`,
  submitted_by: sql`${refOf(actor)}::jsonb`,
  submitted_at: sql`clock_timestamp()`,
  ...prepared(actor),
  ...touched(actor),
})

export const decides = (actor: Actor, state: string, word = 'APPROVED'): Assignments => ({
  state: sql`${state}`,
  decider: sql`${keysOf(actor)}::text[]`,
  decisions: sql`decisions || ${decisionBy(actor, word)}`,
  ...touched(actor),
})

export const approves = (actor: Actor): Assignments => decides(actor, 'APPROVED')

export const activates = (actor: Actor): Assignments => ({
  state: sql`'ACTIVE'`,
  activator: sql`${keysOf(actor)}::text[]`,
  activated_by: sql`${refOf(actor)}::jsonb`,
  activated_at: sql`clock_timestamp()`,
  activation_date: sql`date '2027-01-01'`,
  ...touched(actor),
})

export const withdraws = (actor: Actor): Assignments => ({
  state: sql`'WITHDRAWN'`,
  ...touched(actor),
})

export const reopens = (actor: Actor): Assignments => ({ state: sql`'DRAFT'`, ...touched(actor) })

/** The last decision with some of its members replaced. */
export function forgedDecision(actor: Actor, members: object, word = 'APPROVED'): Statement {
  return sql`decisions || jsonb_build_array(
    (${decisionBy(actor, word)} -> 0) || ${members}::jsonb)`
}

export function updateOf(id: string, assignments: Assignments): Statement {
  const parts = Object.entries(assignments).map(
    ([column, value]) => sql`${new Statement(`${column} = `, [])}${value}`,
  )
  return sql`update contract set ${joined(parts, ', ')} where id = ${id}`
}

export function insertOf(values: Assignments): Statement {
  const columns = new Statement(Object.keys(values).join(', '), [])
  return sql`insert into contract (${columns}) select ${joined(Object.values(values), ', ')}`
}

export const RIGHTS = ['application', 'owner'] as const
export type Rights = (typeof RIGHTS)[number]

interface Attempt {
  readonly actor?: Actor | undefined
  /** Before it, with the owner's rights only. */
  readonly first?: string
  readonly statement: Statement
}

/** Affected rows, or what the database says against it. Nothing of it remains either way. */
export async function tried(
  store: TestStore,
  rights: Rights,
  { actor, first, statement }: Attempt,
): Promise<number | SqlFault> {
  const scope = { rows: 'ALL', ...(actor && { subject: actor.subject }) } as const
  const taken: { back?: number | SqlFault } = {}
  const attempt = async (run: () => Promise<number>): Promise<never> => {
    taken.back = await run().catch((error: unknown) => {
      if (error instanceof SqlFault) return error
      throw error
    })
    throw new Error('taken back')
  }
  const work =
    rights === 'application'
      ? store.db.write(scope, (tx) => attempt(() => tx.run(statement)))
      : store.rights.use(async (session) => {
          await session.query('begin', [])
          try {
            await session.query(SET_CONTEXT, contextValuesOf(scope))
            if (first !== undefined) await session.script(first)
            const run = session.query(statement.text, statement.values)
            await attempt(async () => (await run).count)
          } finally {
            await session.query('rollback', [])
          }
        })
  await work.catch((error: unknown) => {
    if (taken.back === undefined) throw error
  })
  return taken.back as number | SqlFault
}

export function expectRefusedBy(outcome: number | SqlFault, constraint: string, name = ''): void {
  expect(outcome, `${name}: the database accepted it`).toBeInstanceOf(SqlFault)
  const { constraint: by, message } = outcome as SqlFault
  expect(by, `${name}: ${message}`).toBe(constraint)
}
