import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import {
  type Env,
  runTfs,
  type Serving,
  serveTfs,
  spawnTfs,
  type TfsProcess,
} from '../../cli/test/tfs-process.ts'
import { openEngine } from '../../server/src/storage/embedded.ts'
import { openPostgresOwner } from '../../server/src/storage/postgres.ts'
import type { Owner } from '../../server/src/storage/session.ts'
import { createDatabase } from '../../server/test/postgres.ts'

const SCHEMA = 'tfs'
const UNLIMITED = { TFS_RATE_LIMIT_READS: '0', TFS_RATE_LIMIT_WRITES: '0', LOG_LEVEL: 'warn' }

/** A database and the process that serves it; the process comes and goes, the database stays. */
export interface Target {
  readonly kind: 'embedded' | 'postgres'
  /** A new process, once it listens. */
  serve(): Promise<Serving>
  /** A new process that nobody waits for. */
  begin(): TfsProcess
  /** While nobody serves an embedded database. */
  asOwner<T>(work: (owner: Owner) => Promise<T>): Promise<T>
  remove(): Promise<void>
}

export async function embeddedTarget(dataDir?: string): Promise<Target> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'tfs-crash-')))
  return {
    kind: 'embedded',
    ...processesOf({ ...UNLIMITED, TFS_DATA_DIR: folder }, folder),
    async asOwner(work) {
      const engine = await openEngine(join(folder, 'database'))
      try {
        return await work(engine.owner(SCHEMA))
      } finally {
        await engine.close()
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A new database on the server of this URL; its superuser sees every row when it is looked into. */
export async function postgresTarget(serverUrl: string): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'tfs-crash-'))
  const name = `crash_${randomBytes(6).toString('hex')}`
  const { adminUrl, appUrl } = await createDatabase(serverUrl, name)
  const superuserUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const settings = { DATABASE_URL: appUrl, DATABASE_ADMIN_URL: adminUrl }
  const migrated = await runTfs(['migrate'], settings, folder)
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  return {
    kind: 'postgres',
    ...processesOf({ ...UNLIMITED, DATABASE_URL: appUrl }, folder),
    async asOwner(work) {
      const owner = openPostgresOwner({ url: superuserUrl, schema: SCHEMA })
      try {
        return await work(owner)
      } finally {
        await owner.close()
      }
    },
    async remove() {
      await dropDatabase(serverUrl, name)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    await client.unsafe(`drop database ${name} with (force)`)
    await client.unsafe(`drop role ${name}_app, ${name}_owner`)
  } finally {
    await client.end()
  }
}

function processesOf(env: Env, folder: string): Pick<Target, 'serve' | 'begin'> {
  return {
    serve: () => serveTfs(env, folder),
    begin: () => spawnTfs(['serve'], { PORT: '0', METRICS_PORT: '0', ...env }, folder),
  }
}
