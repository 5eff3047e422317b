import { contextValuesOf, SET_CONTEXT } from './context.ts'
import { failureOf } from './failures.ts'
import type { Scope } from './scope.ts'
import type { Answer, Session } from './session.ts'
import type { Statement } from './sql.ts'
import type { Read, Tx } from './tx.ts'

export type TransactionMode = 'READ WRITE' | 'SNAPSHOT'

const BEGIN: Readonly<Record<TransactionMode, string>> = {
  'READ WRITE': 'begin isolation level read committed read write',
  SNAPSHOT: 'begin isolation level repeatable read read only',
}

export type Ask = (statement: Statement) => Promise<Answer>

export function readOver(ask: Ask): Read {
  return {
    async rows<Row>(statement: Statement) {
      return (await ask(statement)).rows as Row[]
    },
    async maybeOne<Row>(statement: Statement) {
      const { rows } = await ask(statement)
      if (rows.length > 1) throw new Error(`${rows.length} rows where at most one was expected.`)
      return rows[0] as Row | undefined
    },
    async one<Row>(statement: Statement) {
      const { rows } = await ask(statement)
      if (rows.length !== 1) throw new Error(`${rows.length} rows where exactly one was expected.`)
      return rows[0] as Row
    },
  }
}

/** Begins, sets the row-level context, works, commits; rolls back whatever did not come so far. */
export async function transact<T>(
  session: Session,
  mode: TransactionMode,
  scope: Scope,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  await session.query(BEGIN[mode], [])
  const state = { open: true }
  try {
    await session.query(SET_CONTEXT, contextValuesOf(scope))
    const result = await work(txOver(session, state))
    state.open = false
    await commit(session)
    return result
  } catch (error) {
    state.open = false
    await rollback(session)
    throw error
  }
}

/** PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error. */
async function commit(session: Session): Promise<void> {
  const { command } = await session.query('commit', [])
  if (command !== 'COMMIT') {
    throw new Error('The transaction had failed: a refused statement was ignored by the work.')
  }
}

/** With the connection lost there is nothing to take back, and the first error is the one to tell. */
async function rollback(session: Session): Promise<void> {
  if (session.isLost()) return
  try {
    await session.query('rollback', [])
  } catch (error) {
    if (!session.isLost()) throw error
  }
}

function txOver(session: Session, state: { readonly open: boolean }): Tx {
  let savepoints = 0
  const ask: Ask = async ({ text, values }) => {
    if (!state.open) throw new Error('The transaction has ended; its tx cannot be used any more.')
    return session.query(text, values)
  }
  return {
    ...readOver(ask),
    async run(statement) {
      return (await ask(statement)).count
    },
    async savepoint(work) {
      const name = `s${++savepoints}`
      await session.query(`savepoint ${name}`, [])
      try {
        const result = await work()
        await session.query(`release savepoint ${name}`, [])
        return result
      } catch (error) {
        if (!session.isLost()) await session.query(`rollback to savepoint ${name}`, [])
        throw failureOf(error)
      }
    },
  }
}
