import { join } from 'node:path'
import type { Config } from './config.ts'
import {
  IDENTITY_MIGRATIONS,
  IDENTITY_SCHEMA,
  migrateIdentity,
  startIdentity,
} from './identity/index.ts'
import { type IdentityStore, openIdentityStore } from './open-identity.ts'
import { lockOf } from './open-store.ts'
import { appRoleOf, ensureAppRole } from './storage/app-role.ts'
import { openEngine } from './storage/embedded.ts'
import { pendingMigrations } from './storage/migrate.ts'
import { openPostgresOwner } from './storage/postgres.ts'
import type { Db } from './storage/tx.ts'
import { isKnownPermission, permissionCatalogue } from './surfaces.ts'
import { loggerOf } from './watching/logger.ts'

/** The accounts that `tfs start` would use with the same settings. */
export async function openAccounts(config: Config): Promise<IdentityStore> {
  const { identity, application } = config.databases
  const store =
    identity === undefined && application === undefined
      ? await besideThePlatform(config)
      : await openIdentityStore(config, undefined)
  try {
    const [pending] = await pendingMigrations(store.db, IDENTITY_MIGRATIONS)
    if (pending !== undefined) {
      throw new Error(`The accounts’ schema lacks ${pending}: run \`tfs identity migrate\`.`)
    }
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Embedded, accounts and contracts share one directory, which one process holds at a time. */
async function besideThePlatform(config: Config): Promise<IdentityStore> {
  const lock = lockOf(config.dataDir)
  try {
    const engine = await openEngine(join(config.dataDir, 'database'))
    const { db, close } = await openIdentityStore(config, engine)
    return {
      db,
      async close() {
        await close()
        await engine.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

export async function runProvider(config: Config, store: IdentityStore) {
  const { embeddedProvider, keyDir, passwordGrant, publicUrl, port } = config
  if (embeddedProvider === undefined) throw new Error('The settings name no embedded provider.')
  const local = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  try {
    const identity = await startIdentity({
      ...{ db: store.db, port: embeddedProvider.port, keyDir, passwordGrant, demo: false },
      baseUrls: publicUrl === undefined ? local : [publicUrl],
      log: loggerOf(config.logLevel),
    })
    const stop = async (): Promise<void> => {
      await identity.close()
      await store.close()
    }
    return { issuer: identity.issuer, stop }
  } catch (error) {
    await store.close()
    throw error
  }
}

export async function migrateAccounts(config: Config): Promise<string[]> {
  const { identity, admin } = config.databases
  if (identity === undefined) {
    // The embedded store migrates by itself whenever it is opened.
    await (await openAccounts(config)).close()
    return []
  }
  if (admin === undefined) {
    throw new Error('DATABASE_ADMIN_URL is not set: name the owner of the accounts’ schema.')
  }
  const owner = openPostgresOwner({ url: admin.url, schema: IDENTITY_SCHEMA })
  try {
    await ensureAppRole(owner, identity.url)
    return await migrateIdentity(owner, appRoleOf(identity.url).role)
  } finally {
    await owner.close()
  }
}

/** Opens the accounts of the settings for one piece of work. */
export async function withAccounts<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openAccounts(config)
  try {
    return await work(db)
  } finally {
    await close()
  }
}

/** A code that no route asks for would be granted in vain. */
export function requireKnownCodes(codes: readonly string[]): void {
  const unknown = codes.find((code) => !isKnownPermission(code))
  if (unknown === undefined) return
  const known = Object.keys(permissionCatalogue).join(', ')
  throw new Error(`${JSON.stringify(unknown)} is no permission of the platform: ${known}.`)
}
