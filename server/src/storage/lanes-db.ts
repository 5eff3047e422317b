import { AsyncLocalStorage } from 'node:async_hooks'
import { contextValuesOf, withContext } from './context.ts'
import type { Lanes } from './lanes.ts'
import type { Scope } from './scope.ts'
import { readOver, type TransactionMode, transact } from './transaction.ts'
import type { Db, Tx } from './tx.ts'

/** The transaction that the running code belongs to, while it is open. */
const current = new AsyncLocalStorage<{ open: boolean }>()

/** Both stores are lanes of connections; what a read and a transaction are is said here once. */
export function dbOver(kind: Db['kind'], lanes: Lanes): Db {
  async function inTransaction<T>(
    mode: TransactionMode,
    scope: Scope,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    requireNoTransaction()
    const state = { open: true }
    try {
      return await lanes.lend((session) =>
        transact(session, mode, scope, (tx) => current.run(state, () => work(tx))),
      )
    } finally {
      state.open = false
    }
  }

  return {
    kind,
    async read(scope, work) {
      requireNoTransaction()
      const context = contextValuesOf(scope)
      return work(
        readOver(({ text, values }) =>
          lanes.lend((session) =>
            session.query(withContext(text, values.length), [...values, ...context]),
          ),
        ),
      )
    },
    snapshot: (scope, work) => inTransaction('SNAPSHOT', scope, work),
    write: (scope, work) => inTransaction('READ WRITE', scope, work),
    pool: () => lanes.state(),
    close: () => lanes.close(),
  }
}

/** The embedded store would wait for itself, and PostgreSQL would answer from outside the tx. */
function requireNoTransaction(): void {
  if (current.getStore()?.open) {
    throw new Error('The database was asked from inside a transaction: use its tx.')
  }
}
