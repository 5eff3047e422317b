import { Writable } from 'node:stream'
import { type App, createApp } from '../src/app.ts'
import { type Clock, systemClock } from '../src/base/clock.ts'
import { type Config, type Environment, readConfig } from '../src/config.ts'
import { type Listener, listen } from '../src/http/listener.ts'
import { pendingMigrations } from '../src/storage/migrate.ts'
import type { Db } from '../src/storage/tx.ts'
import { loggerOf } from '../src/watching/logger.ts'
import { type Client, clientOf } from './client.ts'
import { startTestIssuer, type TestIssuer } from './issuer.ts'
import { MIGRATIONS, openStore, type StoreKind, type TestStore } from './stores.ts'

export type HostMode = 'developer' | 'token'

export interface HostOptions {
  readonly store?: StoreKind
  readonly mode?: HostMode
  /** Settings beyond the ones that the host needs, e.g. `{ TFS_SURFACE: 'customer' }`. */
  readonly env?: Environment
  readonly clock?: Clock
  readonly poolSize?: number
}

/** Who calls, in either mode: the same words become developer headers or the claims of a token. */
export interface Who {
  readonly permissions?: readonly string[]
  readonly partyId?: string
  readonly partnerId?: string
  /** Token mode only: claims that replace or join the usual ones. */
  readonly claims?: Readonly<Record<string, unknown>>
}

/** The platform as it is served, on a real listener, over a real store. */
export interface Host {
  readonly mode: HostMode
  readonly config: Config
  readonly port: number
  readonly baseUrl: string
  readonly db: Db
  readonly store: TestStore
  readonly issuer: TestIssuer | undefined
  readonly app: App
  /** Log lines so far, for what must and must not be told. */
  readonly logLines: readonly string[]
  /** `as('ana', 'contract:approve')`, or with links: `as('dealer', { permissions, partnerId })`. */
  as(username: string, ...given: readonly string[] | readonly [Who]): Client
  /** Sends no credentials. */
  readonly stranger: Client
  headersOf(username: string, who: Who): Record<string, string>
  close(): Promise<void>
}

export async function startHost(options: HostOptions = {}): Promise<Host> {
  const mode = options.mode ?? 'developer'
  const clock = options.clock ?? systemClock
  const store = await openStore(options.store ?? 'embedded', {
    ...(options.poolSize !== undefined && { poolSize: options.poolSize }),
  })
  const issuer = mode === 'token' ? await startTestIssuer({ clock }) : undefined
  const config = readConfig(
    {
      PORT: '0',
      LOG_LEVEL: 'info',
      TFS_RATE_LIMIT_READS: '0',
      TFS_RATE_LIMIT_WRITES: '0',
      ...(issuer && { OIDC_ISSUER: issuer.issuer }),
      ...options.env,
    },
    'serve',
  )
  const logLines: string[] = []
  const app = await createApp({
    config,
    db: store.db,
    pendingMigrations: () => pendingMigrations(store.db, MIGRATIONS),
    log: loggerOf(config.logLevel, linesInto(logLines)),
    version: '0.0.0-test',
    clock,
  })
  const listener: Listener = await listen(['127.0.0.1'], 0, app.handle)
  const baseUrl = `http://127.0.0.1:${listener.port}`
  app.publish(baseUrl)
  await app.start()

  const headersOf = (username: string, who: Who): Record<string, string> =>
    issuer ? tokenHeaders(issuer, username, who) : developerHeaders(username, who)
  return {
    mode,
    config,
    port: listener.port,
    baseUrl,
    db: store.db,
    store,
    issuer,
    app,
    logLines,
    headersOf,
    as: (username, ...given) => clientOf(baseUrl, headersOf(username, whoOf(given))),
    stranger: clientOf(baseUrl, {}),
    close: async () => {
      app.drain()
      await listener.close(1_000)
      await app.close()
      await issuer?.stop()
      await store.close()
    },
  }
}

function whoOf(given: readonly string[] | readonly [Who]): Who {
  const [first] = given
  return typeof first === 'object' ? first : { permissions: given as readonly string[] }
}

function developerHeaders(username: string, who: Who): Record<string, string> {
  return {
    'x-dev-user': username,
    'x-dev-permissions': (who.permissions ?? []).join(','),
    ...(who.partyId !== undefined && { 'x-dev-party': who.partyId }),
    ...(who.partnerId !== undefined && { 'x-dev-partner': who.partnerId }),
  }
}

function tokenHeaders(issuer: TestIssuer, username: string, who: Who): Record<string, string> {
  const token = issuer.token({
    sub: `id-of-${username}`,
    preferred_username: username,
    realm_access: { roles: who.permissions ?? [] },
    ...(who.partyId !== undefined && { partyId: who.partyId }),
    ...(who.partnerId !== undefined && { partnerId: who.partnerId }),
    ...who.claims,
  })
  return { authorization: `Bearer ${token}` }
}

function linesInto(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).trimEnd().split('\n'))
      done()
    },
  })
}
