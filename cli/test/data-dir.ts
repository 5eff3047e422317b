import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '../../server/src/storage/embedded.ts'
import { migrate } from '../../server/src/storage/migrate.ts'
import { ROOT } from './tfs-process.ts'

const SCHEMA = 'tfs'
const APP_ROLE = 'tfs_app'
const MIGRATIONS = join(ROOT, 'server/migrations')
const PACKAGES = join(ROOT, 'node_modules')

export async function tempFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tfs-test-'))
}

let migrated: Promise<string> | undefined

/**
 * A data directory of a migrated database that nobody has served yet. Making one takes many seconds, a
 * copy milliseconds: the first is kept for later runs.
 */
export async function newDataDir(): Promise<string> {
  migrated ??= migratedDataDir()
  const folder = await tempFolder()
  await cp(await migrated, folder, { recursive: true })
  return folder
}

async function migratedDataDir(): Promise<string> {
  const kept = join(PACKAGES, '.cache/tfs-test', contentHash())
  if (existsSync(kept)) return kept
  const made = await tempFolder()
  const engine = await openEngine(join(made, 'database'))
  await engine.db({ schema: SCHEMA, appRole: APP_ROLE })
  await migrate(engine.owner(SCHEMA), { directory: MIGRATIONS, appRole: APP_ROLE })
  await engine.close()
  const copy = `${kept}.${process.pid}`
  await mkdir(copy, { recursive: true })
  await cp(made, copy, { recursive: true })
  await rm(made, { recursive: true })
  // Another worker may have been faster; its copy is as good.
  await rename(copy, kept).catch(() => rm(copy, { recursive: true }))
  return kept
}

const isSql = (file: string): boolean => file.endsWith('.sql')

/** Whatever decides how a new data directory looks. */
function contentHash(): string {
  const hash = createHash('sha256')
  hash.update(readFileSync(join(PACKAGES, '@electric-sql/pglite/package.json')))
  hash.update(readFileSync(join(ROOT, 'server/src/storage/embedded.ts')))
  for (const file of readdirSync(MIGRATIONS).filter(isSql).sort()) {
    hash.update(file).update(readFileSync(join(MIGRATIONS, file)))
  }
  return hash.digest('hex').slice(0, 16)
}
