import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '../../server/src/storage/embedded.ts'
import { migrate } from '../../server/src/storage/migrate.ts'

const SCHEMA = 'tfs'
const MIGRATIONS = join(import.meta.dirname, '../../server/migrations')
const APP_ROLE = 'tfs_app'

export async function tempFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'tfs-test-'))
}

let migrated: Promise<string> | undefined

/**
 * A data directory of a migrated database that nobody has served yet. Making one takes seconds, a copy
 * of it milliseconds.
 */
export async function newDataDir(): Promise<string> {
  migrated ??= migratedDataDir()
  const folder = await tempFolder()
  await cp(await migrated, folder, { recursive: true })
  return folder
}

async function migratedDataDir(): Promise<string> {
  const folder = await tempFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const engine = await openEngine(join(folder, 'database'))
  await engine.db({ schema: SCHEMA, appRole: APP_ROLE })
  await migrate(engine.owner(SCHEMA), { directory: MIGRATIONS, appRole: APP_ROLE })
  await engine.close()
  return folder
}
