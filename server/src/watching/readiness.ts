import type { BearerState } from '../access/bearer/bearer.ts'
import { ping } from '../storage/ping.ts'
import type { Db } from '../storage/tx.ts'

export interface Check {
  readonly ok: boolean
  readonly detail: string
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, Check>>
}

export interface Watched {
  readonly db: Db
  readonly pendingMigrations: () => Promise<readonly string[]>
  readonly bearerState: (() => BearerState) | undefined
  readonly isStopping: () => boolean
}

/** Why a process is not ready, check by check, in words that say what to do. */
export async function readinessOf(watched: Watched): Promise<Readiness> {
  const checks: Record<string, Check> = {
    process: watched.isStopping()
      ? { ok: false, detail: 'The process is stopping.' }
      : { ok: true, detail: 'Running.' },
    database: await databaseCheck(watched.db),
  }
  if (checks['database']?.ok) checks['migrations'] = await migrationCheck(watched)
  if (watched.bearerState) checks['keys'] = keyCheck(watched.bearerState())
  return { ready: Object.values(checks).every((check) => check.ok), checks }
}

async function databaseCheck(db: Db): Promise<Check> {
  try {
    await ping(db)
    return { ok: true, detail: 'Answers.' }
  } catch (error) {
    return { ok: false, detail: `Does not answer: ${(error as Error).message}` }
  }
}

async function migrationCheck({ pendingMigrations }: Watched): Promise<Check> {
  try {
    const pending = await pendingMigrations()
    return pending.length === 0
      ? { ok: true, detail: 'The schema is current.' }
      : { ok: false, detail: `Run tfs migrate: ${pending.join(', ')} not applied.` }
  } catch (error) {
    return { ok: false, detail: (error as Error).message }
  }
}

function keyCheck(state: BearerState): Check {
  if (state.isWrongIssuer) {
    return { ok: false, detail: 'Discovery names another issuer than OIDC_ISSUER.' }
  }
  if (!state.isReady) {
    return {
      ok: false,
      detail: `No keys of the identity provider: ${state.lastError ?? 'not fetched yet'}.`,
    }
  }
  return { ok: true, detail: `${state.keyCount} keys known.` }
}
