import { connect } from './connection.ts'
import { openLanes } from './lanes.ts'
import { dbOver } from './lanes-db.ts'
import type { Owner } from './session.ts'
import type { Db } from './tx.ts'

export interface PostgresOptions {
  /** `DATABASE_URL`: the unprivileged application role. */
  readonly url: string
  readonly schema: string
  readonly poolSize?: number
  readonly applicationName?: string
  readonly statementTimeoutMs?: number
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
}

export const DEFAULT_POOL_SIZE = 10
export const STATEMENT_TIMEOUT_MS = 15_000
export const MAX_WAITING = 1_000
export const MAX_WAIT_MS = 5_000

/** Connects at the first statement; a database that is away makes 503s until it is back. */
export function openPostgres(options: PostgresOptions): Db {
  requireOneHost(options.url)
  const connection = {
    url: options.url,
    schema: options.schema,
    applicationName: options.applicationName ?? 'tfs',
    statementTimeoutMs: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
  }
  const lanes = openLanes({
    size: options.poolSize ?? DEFAULT_POOL_SIZE,
    open: () => connect(connection),
    maxWaiting: options.maxWaiting ?? MAX_WAITING,
    maxWaitMs: options.maxWaitMs ?? MAX_WAIT_MS,
  })
  return dbOver('postgres', lanes)
}

/** The driver could try several, but then a lost connection would not stay lost. */
function requireOneHost(url: string): void {
  if (new URL(url).host.includes(',')) throw new Error('DATABASE_URL: exactly one host is allowed.')
}

export interface PostgresOwnerOptions {
  /** `DATABASE_ADMIN_URL`: the owner of the schema. */
  readonly url: string
  readonly schema: string
  readonly applicationName?: string
}

export function openPostgresOwner(options: PostgresOwnerOptions): Owner {
  const { url, schema, applicationName = 'tfs-owner' } = options
  requireOneHost(url)
  const lanes = openLanes({
    size: 1,
    open: () => connect({ url, schema, applicationName, statementTimeoutMs: 0 }),
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  })
  return { schema, use: (work) => lanes.lend(work), close: () => lanes.close() }
}
