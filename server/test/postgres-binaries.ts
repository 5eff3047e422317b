import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const OLDEST_VERSION = 15
const DEBIAN_ROOT = '/usr/lib/postgresql'

/** The folder with `initdb` and `postgres`, at least version 15; installs Debian's when it may. */
export function postgresBinaries(): string {
  return findBinaries() ?? installedBinaries()
}

function findBinaries(): string | undefined {
  const versions = existsSync(DEBIAN_ROOT) ? readdirSync(DEBIAN_ROOT) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const candidates = [
    ...newestFirst.map((version) => join(DEBIAN_ROOT, version, 'bin')),
    spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim() ?? '',
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return candidates.find((folder) => folder !== '' && isNewEnough(folder))
}

function isNewEnough(folder: string): boolean {
  if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres'))) return false
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  const [, major] = /(\d+)(?:\.\d+)*/.exec(stdout ?? '') ?? []
  return Number(major) >= OLDEST_VERSION
}

function installedBinaries(): string {
  if (process.getuid?.() === 0) install()
  const found = findBinaries()
  if (found !== undefined) return found
  throw new Error(
    `PostgreSQL ${OLDEST_VERSION} or newer is needed for the tests: install Debian's "postgresql".`,
  )
}

/** A cluster made by the package would only take memory: `create_main_cluster` is switched off. */
function install(): void {
  const script = `
    mkdir -p /etc/postgresql-common/createcluster.d
    echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/tests.conf
    apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y postgresql`
  const { status, stderr } = spawnSync('sh', ['-ec', script], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`PostgreSQL could not be installed: ${stderr}`)
}
