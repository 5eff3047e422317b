import { Problem } from './base/errors.ts'
import type { Config } from './config.ts'
import { storageErrors } from './storage/errors.ts'
import { requireMode } from './storage/mode-stamp.ts'
import { requireHarmlessRole } from './storage/role-check.ts'
import type { Db } from './storage/tx.ts'

export const SCHEMA = 'tfs'
const RETRY_MS = 2_000

export interface Store {
  readonly db: Db
  pendingMigrations(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface ServingGate {
  /** Serves nothing before the database has been found fit. */
  readonly db: Db
  /** Throws when the database is a wrong one; one that is away is tried again by itself. */
  try(): Promise<void>
  stop(): void
}

/**
 * A database may be away or not migrated when the process starts; readiness tells, and requests get
 * 503. Before the first row is served its mode and the rights of our role are checked, whenever
 * that becomes possible.
 */
export function servingGate(
  store: Store,
  config: Config,
  onUnservable: (error: Error) => void,
): ServingGate {
  let isFit = false
  let timer: NodeJS.Timeout | undefined

  async function attempt(): Promise<void> {
    if (await isReachable(store)) {
      await requireHarmlessRole(store.db, SCHEMA)
      await store.db.write({ rows: 'NONE' }, (tx) => requireMode(tx, config.mode))
      isFit = true
    } else {
      timer = setTimeout(() => void attempt().catch(onUnservable), RETRY_MS)
      timer.unref()
    }
  }

  function requireFit(): void {
    if (isFit) return
    throw storageErrors.UNAVAILABLE(
      'The database is not ready to be served; /readyz says why.',
      { retryAfter: RETRY_MS / 1000 },
      { 'retry-after': String(RETRY_MS / 1000) },
    )
  }

  return {
    db: gatedDb(store.db, requireFit),
    try: attempt,
    stop: () => clearTimeout(timer),
  }
}

async function isReachable(store: Store): Promise<boolean> {
  try {
    return (await store.pendingMigrations()).length === 0
  } catch (error) {
    if (error instanceof Problem && error.kind === storageErrors.UNAVAILABLE) return false
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
