import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, createApp } from './app.ts'
import { startBackground } from './background.ts'
import { calendarOf } from './base/calendar.ts'
import { systemClock } from './base/clock.ts'
import { type Config, SettingsError } from './config.ts'
import { loadPlanOf } from './demo/load/load-plan.ts'
import { type LoadOptions, type LoadProgress, seedLoad } from './demo/load/seed-load.ts'
import { seedDemo, type Telling, type TellingOptions } from './demo/seed-demo.ts'
import { type Listener, listen } from './http/listener.ts'
import { migratePostgres, openStore, type Store } from './open-store.ts'
import { SCHEMA } from './serving-gate.ts'
import { openPostgresOwner } from './storage/postgres.ts'
import type { Owner } from './storage/session.ts'
import { loggerOf } from './watching/logger.ts'
import { listenMetrics } from './watching/metrics-listener.ts'
import { overloadOf } from './watching/overload.ts'

const STOP_GRACE_MS = 10_000
const PORTS_TRIED = 20

export const VERSION: string = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
).version

export interface Running {
  readonly baseUrl: string
  readonly config: Config
  readonly store: Store
  /** Lets running requests finish, then closes everything. */
  stop(): Promise<void>
}

export interface ServeOptions {
  /** Opened already by someone who needs it beside the API; closed with it. */
  readonly store?: Store
  /** `start` takes the next free port where the wanted one is busy; `serve` stops. */
  readonly takeNextPort?: boolean
  readonly onUnservable: (error: Error) => void
}

/** The API from settings alone. */
export async function serve(config: Config, options: ServeOptions): Promise<Running> {
  const log = loggerOf(config.logLevel)
  const store = options.store ?? (await openStore(config, options.onUnservable))
  const closing: (() => Promise<void>)[] = [store.close]
  try {
    const background = await startBackground(config, store, log)
    closing.unshift(background.stop)
    const overload = overloadOf({ pool: () => store.db.pool() })
    closing.unshift(async () => overload.stop())
    const app = await createApp({
      config,
      db: store.db,
      pendingMigrations: store.pendingMigrations,
      log,
      version: VERSION,
      noteAccess: background.noteAccess,
      noteSeen: background.noteSeen,
      countRefusal: background.countRefusal,
      overload,
    })
    closing.unshift(app.close)
    const listener = await listenOn(config, app, options.takeNextPort === true)
    closing.unshift(async () => {
      app.drain()
      await listener.close(STOP_GRACE_MS)
    })
    const metrics = await listenMetrics(
      config.metricsPort,
      app.metrics.registry,
      options.takeNextPort === true,
    )
    closing.unshift(metrics.close)
    const baseUrl = `http://localhost:${listener.port}`
    app.publish(baseUrl)
    await app.start()
    return { baseUrl, config, store, stop: () => closeAll(closing) }
  } catch (error) {
    await closeAll(closing)
    throw error
  }
}

async function closeAll(closing: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closing) {
    // One that cannot close must not keep the others open.
    await close().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function listenOn(config: Config, app: App, takeNext: boolean): Promise<Listener> {
  for (let port = config.port; ; port++) {
    try {
      return await listen(config.hosts, port, app.handle, { onRefusal: app.onSocketRefusal })
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isBusy) throw error
      if (!takeNext || port - config.port >= PORTS_TRIED) {
        throw new Error(
          `PORT ${port} is in use by another program: stop it, or set PORT to a free one.`,
        )
      }
    }
  }
}

export async function migrateStore(config: Config): Promise<string[]> {
  if (config.databases.application) return await migratePostgres(config)
  const store = await openStore(config, raise)
  await store.close()
  return []
}

/** Demo data beside the running program: an embedded database has one holder. */
export function tellDemo(
  { config, store }: Pick<Running, 'config' | 'store'>,
  options: TellingOptions = { owner: store.engine?.owner(SCHEMA) },
): Promise<Telling> {
  return seedDemo(store.db, config.mode, todayOf(config), options)
}

export interface SeedWish extends LoadOptions {
  readonly demo: boolean
  readonly load?: Parameters<typeof loadPlanOf>[0]
}

export interface Seeded {
  readonly story: Telling | undefined
  readonly load: LoadProgress | undefined
}

/** Platform contract, section 1: on PostgreSQL `seed` is one of the three that may act as the owner. */
export async function seed(config: Config, wish: SeedWish): Promise<Seeded> {
  const plan = wish.load && loadPlanOf(wish.load, todayOf(config))
  const store = await openStore(config, raise)
  const owner = ownerOf(config, store)
  try {
    const { force = false } = wish
    const story = wish.demo ? await tellDemo({ config, store }, { owner, force }) : undefined
    const load = plan && (await seedLoad(owner ?? raise(ownerNeeded()), plan, wish))
    return { story, load }
  } finally {
    await owner?.close()
    await store.close()
  }
}

function ownerOf({ databases: { admin } }: Config, { engine }: Store): Owner | undefined {
  if (engine) return engine.owner(SCHEMA)
  return admin && openPostgresOwner({ url: admin.url, schema: SCHEMA })
}

function ownerNeeded(): Error {
  return new SettingsError(
    'DATABASE_ADMIN_URL',
    'is not set, and only the owner of the schema loads data of the past',
    'the database of DATABASE_URL with the owner of the schema',
  )
}

function todayOf({ timeZone }: Config): string {
  return calendarOf(timeZone, systemClock).today()
}

function raise(error: Error): never {
  throw error
}
