import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { SCHEMA, type Store, servingGate } from './serving-gate.ts'
import { appRoleOf, ensureAppRole } from './storage/app-role.ts'
import { lockDataDir } from './storage/data-dir-lock.ts'
import { openEngine } from './storage/embedded.ts'
import { migrate, pendingMigrations } from './storage/migrate.ts'
import { openPostgres, openPostgresOwner } from './storage/postgres.ts'

export type { Store } from './serving-gate.ts'

const EMBEDDED_ROLE = 'tfs_app'
const MIGRATIONS = join(import.meta.dirname, '../migrations')

/** The database that the settings name. A wrong one stops the start in one line. */
export async function openStore(
  config: Config,
  onUnservable: (error: Error) => void,
): Promise<Store> {
  const store = config.databases.application
    ? openPostgresStore(config.databases.application.url)
    : await openEmbeddedStore(config.dataDir)
  const gate = servingGate(store, config, onUnservable)
  try {
    await gate.try()
  } catch (error) {
    await store.close()
    throw error
  }
  return {
    db: gate.db,
    pendingMigrations: store.pendingMigrations,
    close: async () => {
      gate.stop()
      await store.close()
    },
  }
}

/** The embedded store migrates by itself: nobody else can. */
async function openEmbeddedStore(dataDir: string): Promise<Store> {
  const lock = lockDataDir(dataDir)
  await mkdir(dataDir, { recursive: true })
  const engine = await openEngine(join(dataDir, 'database'))
  const db = await engine.db({ schema: SCHEMA, appRole: EMBEDDED_ROLE })
  await migrate(engine.owner(SCHEMA), { directory: MIGRATIONS, appRole: EMBEDDED_ROLE })
  return {
    db,
    pendingMigrations: () => pendingMigrations(db, MIGRATIONS),
    close: async () => {
      await db.close()
      await engine.close()
      lock.release()
    },
  }
}

function openPostgresStore(url: string): Store {
  const db = openPostgres({ url, schema: SCHEMA })
  return {
    db,
    pendingMigrations: () => pendingMigrations(db, MIGRATIONS),
    close: () => db.close(),
  }
}

/** `tfs migrate` on PostgreSQL: as the owner; makes the application's role where it is missing. */
export async function migratePostgres(config: Config): Promise<string[]> {
  const { application, admin } = config.databases
  if (!application || !admin) throw new Error('migratePostgres needs both database URLs.')
  const owner = openPostgresOwner({ url: admin.url, schema: SCHEMA })
  try {
    await ensureAppRole(owner, application.url)
    return await migrate(owner, {
      directory: MIGRATIONS,
      appRole: appRoleOf(application.url).role,
    })
  } finally {
    await owner.close()
  }
}
