import type { BearerState } from '../access/bearer/bearer.ts'
import { Problem } from '../base/errors.ts'
import { SqlFault, unavailable } from '../storage/failures.ts'
import type { Db } from '../storage/tx.ts'

export interface Check {
  readonly ok: boolean
  readonly detail: string
}

export type Checks = Readonly<Record<string, Check>>

export interface Readiness {
  readonly ready: boolean
  readonly checks: Checks
}

export interface Watched {
  readonly db: Db
  readonly pendingMigrations: () => Promise<readonly string[]>
  readonly bearerState: (() => BearerState) | undefined
  readonly isStopping: () => boolean
}

/** Whoever asks gives up after a few seconds and learns nothing: a late answer is none. */
const LONGEST_CHECK_MS = 2_000
/** Anyone may ask, and as often as they like; the database is asked this often. */
const REMEMBERED_MS = 500

/** Why a process is not ready, check by check, in words that say what to do. */
export function readinessProbeOf(watched: Watched): () => Promise<Readiness> {
  let asked: Promise<Checks> | undefined
  function databaseChecks(): Promise<Checks> {
    if (asked !== undefined) return asked
    asked = databaseChecksOf(watched)
    setTimeout(() => {
      asked = undefined
    }, REMEMBERED_MS).unref()
    return asked
  }
  return async () => {
    const checks: Checks = {
      process: watched.isStopping() ? bad('The process is stopping.') : good('Running.'),
      ...(await databaseChecks()),
      ...(watched.bearerState && { keys: keyCheck(watched.bearerState()) }),
    }
    return { ready: Object.values(checks).every(({ ok }) => ok), checks }
  }
}

export function readinessOf(watched: Watched): Promise<Readiness> {
  return readinessProbeOf(watched)()
}

const good = (detail: string): Check => ({ ok: true, detail })
const bad = (detail: string): Check => ({ ok: false, detail })

async function databaseChecksOf({ db, pendingMigrations }: Watched): Promise<Checks> {
  let pending: readonly string[]
  try {
    pending = await inTime(pendingMigrations())
  } catch (error) {
    if (error instanceof Problem) return { database: bad(`Does not answer: ${error.detail}`) }
    return { database: good('Answers.'), migrations: bad(faultOf(error)) }
  }
  if (pending.length > 0) {
    const migrations = bad(`Run tfs migrate: ${pending.join(', ')} not applied.`)
    return { database: good('Answers.'), migrations }
  }
  const migrations = good('The schema is current.')
  try {
    // Asks nothing, only whether requests are let through: mode and rights are checked before.
    await db.read({ rows: 'NONE' }, async () => undefined)
    return { database: good('Answers.'), migrations }
  } catch (error) {
    const reason = error instanceof Problem ? error.detail : faultOf(error)
    return { database: bad(`Is not served yet: ${reason}`), migrations }
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(unavailable(`no answer within ${LONGEST_CHECK_MS / 1000} s.`)),
    LONGEST_CHECK_MS,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Everyone may read this: our own words are told, those of the database and the system are not. */
function faultOf(error: unknown): string {
  if (error instanceof SqlFault) return `The database refused the question (${error.sqlState}).`
  const isOurs = error instanceof Error && error.name === 'Error' && !('code' in error)
  return isOurs ? error.message : 'A fault of the program; it cannot be told here.'
}

function keyCheck(state: BearerState): Check {
  if (state.isWrongIssuer) return bad('Discovery names another issuer than OIDC_ISSUER.')
  if (!state.isReady) return bad('No keys of the identity provider yet; the log says why.')
  return good(`${state.keyCount} keys known.`)
}
