import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { DEMO_IDS } from './demo/people.ts'
import { waitingContractOf } from './demo/seed-demo.ts'
import { DEMO_USERS, type Identity, seedDemoUsers, startIdentity } from './identity/index.ts'
import { type Running, type ServeOptions, serve, tellDemo } from './main.ts'
import { openIdentityStore } from './open-identity.ts'
import { lockOf, openStore, type Store } from './open-store.ts'
import { permissionCatalogue } from './surfaces.ts'
import { loggerOf } from './watching/logger.ts'

export interface Started extends Running {
  demoFacts(): Promise<DemoFacts>
}

/** What the banner shows. */
export interface DemoFacts {
  readonly baseUrl: string
  readonly wantedPort: number
  readonly mode: Config['mode']
  /** Of the provider that runs here; undefined where another one is used, or none. */
  readonly issuer: string | undefined
  readonly demoUsers: readonly { readonly username: string; readonly purpose: string }[]
  /** A contract that waits and that chief prepared. */
  readonly chiefContractId: string | undefined
  /** One that someone else prepared, for when the chief's is decided. */
  readonly waitingContractId: string | undefined
}

/** Everything on one machine, in one process: identity, API and demo data. */
export async function start(config: Config, options: ServeOptions): Promise<Started> {
  const store = await openStore(config, options.onUnservable)
  let identity: RunningIdentity | undefined
  try {
    identity = config.embeddedProvider && (await startEmbedded(config, store))
  } catch (error) {
    await store.close()
    throw error
  }
  let running: Running | undefined
  try {
    running = await serve(config, { ...options, store, takeNextPort: true })
    await tellDemo(running)
    return startedOf(config, running, identity)
  } catch (error) {
    await identity?.close()
    await running?.stop()
    throw error
  }
}

function startedOf(
  config: Config,
  running: Running,
  identity: RunningIdentity | undefined,
): Started {
  const { db } = running.store
  return {
    ...running,
    demoFacts: async () => ({
      baseUrl: running.baseUrl,
      wantedPort: config.port,
      mode: config.mode,
      issuer: identity?.issuer,
      demoUsers: DEMO_USERS,
      chiefContractId: await waitingContractOf(db, 'chief'),
      waitingContractId: await waitingContractOf(db, 'preparer'),
    }),
    stop: async () => {
      await identity?.close()
      await running.stop()
    },
  }
}

interface RunningIdentity extends Pick<Identity, 'issuer' | 'close'> {}

async function startEmbedded(config: Config, store: Store): Promise<RunningIdentity> {
  const { db, close } = await openIdentityStore(config, store.engine)
  await seedDemoUsers(db, DEMO_IDS, Object.keys(permissionCatalogue))
  const identity = await startIdentity({
    db,
    port: config.embeddedProvider?.port as number,
    keyDir: config.keyDir,
    passwordGrant: config.passwordGrant,
    demo: true,
    baseUrls: [`http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`],
    log: loggerOf(config.logLevel),
  })
  return {
    issuer: identity.issuer,
    close: async () => {
      await identity.close()
      await close()
    },
  }
}

/** Starts over: the embedded data and keys go, nothing else. */
export async function reset(config: Config): Promise<void> {
  if (config.databases.application) {
    throw new Error('--reset empties the embedded store only; DATABASE_URL names a PostgreSQL.')
  }
  const lock = lockOf(config.dataDir)
  try {
    for (const part of ['database', 'identity']) {
      await rm(join(config.dataDir, part), { recursive: true, force: true })
    }
    await rm(config.keyDir, { recursive: true, force: true })
  } finally {
    lock.release()
  }
}
