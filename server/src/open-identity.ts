import { join } from 'node:path'
import type { Config } from './config.ts'
import { IDENTITY_ROLE, IDENTITY_SCHEMA, migrateIdentity } from './identity/index.ts'
import { lockOf } from './open-store.ts'
import { type EmbeddedEngine, openEngine } from './storage/embedded.ts'
import { openPostgres } from './storage/postgres.ts'
import type { Db } from './storage/tx.ts'

export interface IdentityStore {
  readonly db: Db
  close(): Promise<void>
}

/** Where the embedded provider keeps its accounts: beside the platform's own tables, or where the settings say. */
export async function openIdentityStore(
  config: Config,
  engine: EmbeddedEngine | undefined,
): Promise<IdentityStore> {
  const { identity } = config.databases
  if (identity !== undefined) {
    const db = openPostgres({ url: identity.url, schema: IDENTITY_SCHEMA })
    return { db, close: () => db.close() }
  }
  if (engine !== undefined) {
    const db = await openSchema(engine)
    return { db, close: () => db.close() }
  }
  const lock = lockOf(config.dataDir)
  const own = await openEngine(join(config.dataDir, 'identity'))
  const db = await openSchema(own)
  return {
    db,
    close: async () => {
      await db.close()
      await own.close()
      lock.release()
    },
  }
}

async function openSchema(engine: EmbeddedEngine): Promise<Db> {
  const db = await engine.db({ schema: IDENTITY_SCHEMA, appRole: IDENTITY_ROLE })
  await migrateIdentity(engine.owner(IDENTITY_SCHEMA))
  return db
}
