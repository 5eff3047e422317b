import type { Session } from './session.ts'

/** Any number does, as long as everyone who changes schema or roles takes the same one. */
const MIGRATION_LOCK = 7_316_350_113

/** One migrator at a time per database; the lock ends with the connection. */
export async function aloneInDatabase<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  try {
    return await work()
  } finally {
    if (!session.isLost()) await session.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  }
}
