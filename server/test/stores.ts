import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { appRoleOf, ensureAppRole } from '../src/storage/app-role.ts'
import { type EmbeddedEngine, openEngine } from '../src/storage/embedded.ts'
import { migrate } from '../src/storage/migrate.ts'
import { openPostgres, openPostgresOwner } from '../src/storage/postgres.ts'
import { quotedName } from '../src/storage/quoting.ts'
import type { Owner } from '../src/storage/session.ts'
import type { Db } from '../src/storage/tx.ts'
import type {} from './global-setup.ts'

export type StoreKind = Db['kind']

/** A migrated store of its own: a fresh schema in a PGlite or in the PostgreSQL of the run. */
export interface TestStore {
  readonly kind: StoreKind
  readonly db: Db
  readonly schema: string
  readonly appRole: string
  readonly rights: Owner
  /** Several statements without parameters, with the owner's rights. */
  owner(text: string): Promise<void>
  close(): Promise<void>
}

export interface TestStoreOptions {
  /** `false`: an empty schema. */
  readonly migrations?: string | false
  readonly poolSize?: number
}

export const STORE_KINDS: readonly StoreKind[] = ['embedded', 'postgres']
export const MIGRATIONS = join(import.meta.dirname, '../migrations')
const EMBEDDED_ROLE = 'tfs_app'

/** Runs the same tests over both stores; the store is open inside tests and hooks. */
export function eachStore(
  define: (store: TestStore) => void,
  options: TestStoreOptions = {},
): void {
  describe.each(STORE_KINDS)('%s', (kind) => define(storeOf(kind, options)))
}

/** Opened before and closed after the tests of the surrounding describe. */
export function storeOf(kind: StoreKind, options: TestStoreOptions = {}): TestStore {
  let open: TestStore | undefined
  beforeAll(async () => {
    open = await openStore(kind, options)
  })
  afterAll(() => open?.close())
  const opened = (): TestStore => {
    if (open === undefined) throw new Error('The store is open only inside tests and hooks.')
    return open
  }
  return {
    kind,
    get db() {
      return opened().db
    },
    get schema() {
      return opened().schema
    },
    get appRole() {
      return opened().appRole
    },
    get rights() {
      return opened().rights
    },
    owner: (text) => opened().owner(text),
    close: () => opened().close(),
  }
}

/** For tests that open and close by themselves. */
export async function openStore(
  kind: StoreKind,
  options: TestStoreOptions = {},
): Promise<TestStore> {
  const schema = `test_${randomBytes(6).toString('hex')}`
  const parts = kind === 'embedded' ? await embedded(schema) : await postgres(schema, options)
  const { db, rights, appRole } = parts
  const owner = (text: string): Promise<void> => rights.use((session) => session.script(text))
  const directory = options.migrations ?? MIGRATIONS
  if (directory !== false) await migrate(rights, { directory, appRole })
  else await owner(emptySchema(schema, appRole))
  return {
    ...{ kind, db, schema, appRole, rights, owner },
    async close() {
      await db.close()
      await owner(`drop schema ${quotedName(schema)} cascade`)
      await rights.close()
    },
  }
}

function emptySchema(schema: string, appRole: string): string {
  const [name, role] = [quotedName(schema), quotedName(appRole)]
  return `create schema if not exists ${name}; grant usage on schema ${name} to ${role}`
}

interface Parts {
  readonly db: Db
  readonly rights: Owner
  readonly appRole: string
}

/** Starting a PGlite takes seconds, a schema milliseconds: one per worker process. */
let engine: Promise<EmbeddedEngine> | undefined

async function embedded(schema: string): Promise<Parts> {
  engine ??= openEngine()
  const shared = await engine
  const appRole = EMBEDDED_ROLE
  return { db: await shared.db({ schema, appRole }), rights: shared.owner(schema), appRole }
}

async function postgres(schema: string, { poolSize = 10 }: TestStoreOptions): Promise<Parts> {
  const { adminUrl, appUrl } = inject('postgresTests')
  const rights = openPostgresOwner({ url: adminUrl, schema })
  await ensureAppRole(rights, appUrl)
  const db = openPostgres({ url: appUrl, schema, poolSize })
  return { db, rights, appRole: appRoleOf(appUrl).role }
}
