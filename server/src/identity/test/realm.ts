import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type StoreKind, type TestStore } from '../../../test/stores.ts'
import type { IdentityLog } from '../log.ts'
import { IDENTITY_MIGRATIONS } from '../migrate-identity.ts'
import { PATHS } from '../realm.ts'
import { seedDemoUsers } from '../seed-demo-users.ts'
import { type Identity, type IdentityOptions, startIdentity } from '../start-identity.ts'

/** A provider of its own for a test file: fresh schema, fresh keys, free port, demo users. */
export interface TestRealm {
  readonly issuer: string
  readonly port: number
  readonly store: TestStore
  readonly keyDir: string
  /** What was logged as a warning or an error. */
  readonly complaints: readonly string[]
  identity(): Identity
  url(name: keyof typeof PATHS): string
  post(name: keyof typeof PATHS, fields: Fields, headers?: Fields): Promise<Answer>
  /** Stops the listener and starts it anew on the same port, database and keys. */
  restart(): Promise<void>
  close(): Promise<void>
}

export type Fields = Readonly<Record<string, string>>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export const DEMO_LINKS = { customer: 'pty_clara', customer2: 'pty_cornelius', dealer: 'ptn_dana' }

/** Platform contract, section 3. */
export const CATALOGUE: readonly string[] = [
  ...['party:create', 'party:read', 'party:update', 'party:approve', 'party:erase'],
  ...['partner:create', 'partner:read', 'partner:update', 'partner:approve'],
  ...['contract:create', 'contract:read', 'contract:update', 'contract:approve'],
  ...['contract:activate', 'contract:settle', 'contract:terminate'],
  ...['report:prepare', 'report:read', 'report:approve', 'audit:read', 'event:read'],
  ...['webhook:manage', 'my:read', 'my:request', 'scope:partner'],
]

export interface TestRealmOptions
  extends Partial<Pick<IdentityOptions, 'passwordGrant' | 'demo' | 'baseUrls' | 'clock'>> {
  readonly kind?: StoreKind
}

export async function openRealm({ kind = 'embedded', ...options }: TestRealmOptions = {}) {
  const store = await openStore(kind, { migrations: IDENTITY_MIGRATIONS })
  await seedDemoUsers(store.db, DEMO_LINKS, CATALOGUE)
  const keyDir = await mkdtemp(join(tmpdir(), 'tfs-identity-keys-'))
  const port = await freePort()
  const complaints: string[] = []
  const start = (): Promise<Identity> =>
    startIdentity({
      ...{ db: store.db, port, keyDir, passwordGrant: true, demo: true },
      baseUrls: ['http://localhost:8080'],
      log: collected(complaints),
      ...options,
    })
  let identity = await start()
  const url = (name: keyof typeof PATHS): string => `${identity.issuer}${PATHS[name]}`
  const realm: TestRealm = {
    ...{ issuer: identity.issuer, port, store, keyDir, complaints, url },
    identity: () => identity,
    async post(name, fields, headers = {}) {
      const body = new URLSearchParams(fields)
      const response = await fetch(url(name), { method: 'POST', body, headers })
      const text = await response.text()
      const parsed = text.startsWith('{') ? JSON.parse(text) : { text }
      return { status: response.status, headers: response.headers, body: parsed }
    },
    async restart() {
      await identity.close()
      identity = await start()
    },
    async close() {
      await identity.close()
      await store.close()
      await rm(keyDir, { recursive: true, force: true })
    },
  }
  return realm
}

function collected(complaints: string[]): IdentityLog {
  const keep = (members: object, text: string): void => {
    const { err } = members as { err?: unknown }
    complaints.push(err instanceof Error ? `${text} ${err.stack}` : text)
  }
  return { info: () => undefined, warn: keep, error: keep }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return port
}

export function claimsOf(token: unknown): Record<string, unknown> {
  const [, payload = ''] = String(token).split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
}
