import { contextValuesOf, SET_CONTEXT } from './context.ts'
import { unavailable } from './failures.ts'
import type { Scope } from './scope.ts'
import type { Answer, Session } from './session.ts'
import type { Statement } from './sql.ts'
import type { Read, Tx } from './tx.ts'

export type TransactionMode = 'READ WRITE' | 'SNAPSHOT'

const BEGIN: Readonly<Record<TransactionMode, string>> = {
  'READ WRITE': 'begin isolation level read committed read write',
  SNAPSHOT: 'begin isolation level repeatable read read only',
}

const UNKNOWN_OUTCOME =
  'The connection to the database was lost while the work was being kept: ' +
  'it may or may not be there. Repeat the request with the same Idempotency-Key, or look first.'

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
  const state = { open: true }
  try {
    await session.queryBoth(
      { text: BEGIN[mode], values: [] },
      { text: SET_CONTEXT, values: contextValuesOf(scope) },
    )
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
  const { command } = await session.query('commit', []).catch((error: unknown) => {
    throw session.isLost() ? unavailable(UNKNOWN_OUTCOME) : error
  })
  if (command !== 'COMMIT') {
    throw new Error('The transaction had failed: a refused statement was ignored by the work.')
  }
}

/** With the connection lost there is nothing to take back; the first error is the one to tell. */
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
  async function ask(text: string, values: readonly unknown[] = []): Promise<Answer> {
    if (!state.open) throw new Error('The transaction has ended; its tx cannot be used any more.')
    return session.query(text, values)
  }
  return {
    ...readOver(({ text, values }) => ask(text, values)),
    async run({ text, values }) {
      return (await ask(text, values)).count
    },
    async savepoint(work) {
      const name = `s${++savepoints}`
      await ask(`savepoint ${name}`)
      try {
        const result = await work()
        await ask(`release savepoint ${name}`)
        return result
      } catch (error) {
        if (!session.isLost()) await ask(`rollback to savepoint ${name}`)
        throw error
      }
    },
  }
}
