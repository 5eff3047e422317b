import { Problem } from './base/errors.ts'
import type { Config } from './config.ts'
import type { EmbeddedEngine } from './storage/embedded.ts'
import { storageErrors } from './storage/errors.ts'
import { SqlFault } from './storage/failures.ts'
import { requireMode } from './storage/mode-stamp.ts'
import { requireHarmlessRole } from './storage/role-check.ts'
import type { Db } from './storage/tx.ts'

export const SCHEMA = 'tfs'
const RETRY_MS = 2_000
const INSUFFICIENT_PRIVILEGE = '42501'

/** A database as it was opened: nothing is known about it yet. */
export interface OpenedStore {
  readonly db: Db
  /** The embedded engine, where there is one: other schemas live in it too. */
  readonly engine: EmbeddedEngine | undefined
  pendingMigrations(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface ServingGate {
  /** Serves nothing before the database has been found fit. */
  readonly db: Db
  /** Throws when the database is a wrong one; one that is away is tried again by itself. */
  try(): Promise<void>
  /** Why nothing is served yet, in words that say what to do. */
  waitsFor(): string | undefined
  readonly fit: Promise<void>
  stop(): void
}

/**
 * A database may be away or not migrated when the process starts; readiness tells, and requests get
 * 503. Before the first row is served its mode and the rights of our role are checked, whenever
 * that becomes possible.
 */
export function servingGate(
  store: OpenedStore,
  config: Config,
  onUnservable: (error: Error) => void,
): ServingGate {
  const fit = Promise.withResolvers<void>()
  let obstacle: string | undefined = 'The database has not been checked yet.'
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function attempt(): Promise<void> {
    obstacle = await obstacleOf(store, config)
    if (obstacle === undefined) fit.resolve()
    else if (!isStopped) {
      timer = setTimeout(() => void attempt().catch(onUnservable), RETRY_MS)
      timer.unref()
    }
  }

  function requireFit(): void {
    if (obstacle === undefined) return
    const seconds = RETRY_MS / 1000
    throw storageErrors.UNAVAILABLE(
      obstacle,
      { retryAfter: seconds },
      { 'retry-after': String(seconds) },
    )
  }

  return {
    db: gatedDb(store.db, requireFit),
    try: attempt,
    waitsFor: () => obstacle,
    fit: fit.promise,
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** What time or `tfs migrate` can still mend; anything else is thrown and stops the start. */
async function obstacleOf(store: OpenedStore, config: Config): Promise<string | undefined> {
  try {
    const pending = await store.pendingMigrations()
    if (pending.length > 0) {
      return `The schema is not current: run \`tfs migrate\` (${pending.join(', ')} not applied).`
    }
    await requireHarmlessRole(store.db, SCHEMA)
    await store.db.write({ rows: 'NONE' }, (tx) => requireMode(tx, config.mode))
    return undefined
  } catch (error) {
    if (error instanceof Problem && error.kind === storageErrors.UNAVAILABLE) {
      return `${error.detail} A new database needs \`tfs migrate\` first.`
    }
    if (error instanceof SqlFault && error.sqlState === INSUFFICIENT_PRIVILEGE) {
      return 'The role of DATABASE_URL lacks its rights: run `tfs migrate`, which grants them.'
    }
    throw error
  }
}

function gatedDb(db: Db, requireFit: () => void): Db {
  return {
    kind: db.kind,
    read: async (scope, work) => {
      requireFit()
      return db.read(scope, work)
    },
    snapshot: async (scope, work) => {
      requireFit()
      return db.snapshot(scope, work)
    },
    write: async (scope, work) => {
      requireFit()
      return db.write(scope, work)
    },
    pool: () => db.pool(),
    close: () => db.close(),
  }
}
