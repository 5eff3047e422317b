import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { embeddedSession, preparedStatements } from './embedded-session.ts'
import { type Lanes, openLanes } from './lanes.ts'
import { dbOver } from './lanes-db.ts'
import { quotedLiteral, quotedName } from './quoting.ts'
import type { Owner } from './session.ts'
import type { Db } from './tx.ts'

export interface EmbeddedOptions {
  /** Absent: in memory. */
  readonly dataDir?: string
  readonly schema: string
  readonly appRole: string
}

export interface EmbeddedDb extends Db {
  /** The superuser of the embedded store, over the same one connection. */
  readonly owner: Owner
}

/** A PGlite, its one connection lent to one piece of work at a time. */
export interface EmbeddedEngine {
  /** The application's view: this schema, as this role. `close` leaves the engine open. */
  db(view: { schema: string; appRole: string }): Promise<Db>
  owner(schema: string): Owner
  close(): Promise<void>
}

export const EMBEDDED_MAX_WAITING = 1_000
export const EMBEDDED_MAX_WAIT_MS = 30_000

interface Identity {
  readonly role: string | undefined
  readonly schema: string
}

export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDb> {
  const engine = await openEngine(options.dataDir)
  const db = await engine.db(options)
  return { ...db, owner: engine.owner(options.schema), close: () => engine.close() }
}

export async function openEngine(dataDir?: string): Promise<EmbeddedEngine> {
  const pglite = dataDir === undefined ? await PGlite.create() : await openDirectory(dataDir)
  await pglite.exec(`set time zone 'UTC'; set datestyle to 'ISO, YMD'`)
  const statements = preparedStatements(pglite)
  const become = identitySwitch(pglite)
  const lanes = openLanes({
    size: 1,
    open: () => embeddedSession(pglite, statements, ''),
    maxWaiting: EMBEDDED_MAX_WAITING,
    maxWaitMs: EMBEDDED_MAX_WAIT_MS,
  })

  /** One view does not close what the others use. */
  function viewAs(identity: Identity): Lanes {
    const session = embeddedSession(pglite, statements, JSON.stringify(identity))
    const lend: Lanes['lend'] = (work) =>
      lanes.lend(async () => {
        await become(identity)
        return work(session)
      })
    return { lend, state: lanes.state, close: async () => undefined }
  }

  function owner(schema: string): Owner {
    const { lend, close } = viewAs({ role: undefined, schema })
    return {
      schema,
      use: (work) => lend((session) => work(session).finally(() => statements.forget())),
      close,
    }
  }

  return {
    owner,
    async db({ schema, appRole }) {
      await owner(schema).use((session) => session.script(createRole(appRole)))
      return dbOver('embedded', viewAs({ role: appRole, schema }))
    },
    async close() {
      await lanes.close()
      if (!pglite.closed) await pglite.close()
    },
  }
}

/**
 * The first start writes a new cluster beside its place and moves it there when it is whole: a
 * process that is killed meanwhile leaves nothing that the next start would take for a database.
 */
async function openDirectory(dataDir: string): Promise<PGlite> {
  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    const unfinished = `${dataDir}.unfinished`
    await rm(unfinished, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    await (await PGlite.create({ dataDir: unfinished })).close()
    await rename(unfinished, dataDir)
  }
  return PGlite.create({ dataDir })
}

/** All work of the application runs as its role; only the owner's work leaves it, alone. */
function identitySwitch(pglite: PGlite): (identity: Identity) => Promise<void> {
  let current: Identity | undefined
  return async (identity) => {
    if (current?.role === identity.role && current?.schema === identity.schema) return
    current = undefined
    const role = identity.role === undefined ? 'none' : quotedName(identity.role)
    await pglite.exec(
      `set role none; set search_path to ${quotedName(identity.schema)}, pg_temp; set role ${role}`,
    )
    current = identity
  }
}

/** Nobody logs in to the embedded store, so the role needs no password. */
function createRole(name: string): string {
  return `do ${quotedLiteral(`begin
    if not exists (select from pg_roles where rolname = ${quotedLiteral(name)}) then
      create role ${quotedName(name)} nologin nosuperuser noinherit;
    end if;
  end`)}`
}
