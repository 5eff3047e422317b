import { join } from 'node:path'
import { grantRights } from './app-rights.ts'
import { Problem } from './base/errors.ts'
import { type Config, SettingsError } from './config.ts'
import { type OpenedStore, SCHEMA, servingGate } from './serving-gate.ts'
import { appRoleOf, ensureAppRole } from './storage/app-role.ts'
import { type DataDirLock, lockDataDir } from './storage/data-dir-lock.ts'
import { migrate, pendingMigrations } from './storage/migrate.ts'
import { openPostgres, openPostgresOwner } from './storage/postgres.ts'

const EMBEDDED_ROLE = 'tfs_app'
const MIGRATIONS = join(import.meta.dirname, '../migrations')

export interface Store extends OpenedStore {
  /** Why nothing is served yet, in words that say what to do. */
  waitsFor(): string | undefined
  /** Resolves once the database has been found fit to be served. */
  readonly fit: Promise<void>
}

/** The database that the settings name. A wrong one stops the start in one line. */
export async function openStore(
  config: Config,
  onUnservable: (error: Error) => void,
): Promise<Store> {
  const { application } = config.databases
  const store = application
    ? openPostgresStore(application.url)
    : await openEmbeddedStore(config.dataDir)
  const gate = servingGate(store, config, onUnservable)
  const close = async (): Promise<void> => {
    gate.stop()
    await store.close()
  }
  try {
    await gate.try()
    const obstacle = gate.waitsFor()
    // Only who serves can wait for a database; everyone else has work to do now.
    if (obstacle !== undefined && !isServed(config)) throw new Error(obstacle)
  } catch (error) {
    await close()
    throw error
  }
  return {
    db: gate.db,
    engine: store.engine,
    pendingMigrations: store.pendingMigrations,
    waitsFor: gate.waitsFor,
    fit: gate.fit,
    close,
  }
}

function isServed({ command }: Config): boolean {
  return command === 'serve' || command === 'start'
}

/** The embedded store migrates by itself: nobody else can. */
async function openEmbeddedStore(dataDir: string): Promise<OpenedStore> {
  const lock = lockOf(dataDir)
  try {
    // A start on PostgreSQL does without the embedded one.
    const { openEngine } = await import('./storage/embedded.ts')
    const engine = await openEngine(join(dataDir, 'database'))
    const db = await engine.db({ schema: SCHEMA, appRole: EMBEDDED_ROLE })
    await migrate(engine.owner(SCHEMA), { directory: MIGRATIONS, appRole: EMBEDDED_ROLE })
    return {
      db,
      engine,
      pendingMigrations: () => pendingMigrations(db, MIGRATIONS),
      close: async () => {
        await db.close()
        await engine.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

export function lockOf(dataDir: string): DataDirLock {
  try {
    return lockDataDir(dataDir)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new Error(`TFS_DATA_DIR: ${dataDir} cannot be used as a directory (${code}).`, {
      cause: error,
    })
  }
}

function openPostgresStore(url: string): OpenedStore {
  const db = openPostgres({ url, schema: SCHEMA })
  return {
    db,
    engine: undefined,
    pendingMigrations: () => pendingMigrations(db, MIGRATIONS),
    close: () => db.close(),
  }
}

/** `tfs migrate` on PostgreSQL: as the owner; makes the application's role where it is missing. */
export async function migratePostgres(config: Config): Promise<string[]> {
  const { application, admin } = config.databases
  if (!application) throw new Error('DATABASE_URL is not set: there is no PostgreSQL to migrate.')
  if (!admin) {
    throw new SettingsError(
      'DATABASE_ADMIN_URL',
      'is not set',
      'the database of DATABASE_URL with the owner of the schema',
    )
  }
  const owner = openPostgresOwner({ url: admin.url, schema: SCHEMA })
  const appRole = appRoleOf(application.url).role
  try {
    await ensureAppRole(owner, application.url)
    const applied = await migrate(owner, { directory: MIGRATIONS, appRole })
    await grantRights(owner, { directory: MIGRATIONS, appRole })
    return applied
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Error(`DATABASE_ADMIN_URL: ${error.detail}`, { cause: error })
  } finally {
    await owner.close()
  }
}
