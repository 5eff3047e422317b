import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { quotedLiteral, quotedName } from '../src/storage/quoting.ts'
import { postgresBinaries } from './postgres-binaries.ts'

/** A real PostgreSQL of its own: temporary cluster, free port, loopback only. */
export interface TestPostgres {
  /** Superuser, database `postgres`. */
  readonly adminUrl: string
  /** A fresh database with its own owner and an application role that does not exist yet. */
  createDatabase(name: string): Promise<TestDatabase>
  /** Ends the server by a signal (SIGKILL is a crash); `restart` brings it back. */
  kill(signal: NodeJS.Signals): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface TestDatabase {
  readonly adminUrl: string
  readonly appUrl: string
}

export interface TestPostgresOptions {
  /** With fsync, for tests of crashes; off it is much faster. */
  readonly durable?: boolean
  readonly settings?: Readonly<Record<string, string>>
}

const SUPERUSER = 'tfs_test'
const START_TIMEOUT_MS = 60_000
const POLL_MS = 50

export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const binaries = postgresBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'tfs-postgres-'))
  const port = await freePort()
  prepareCluster(binaries, folder)
  const adminUrl = `postgres://${SUPERUSER}:${SUPERUSER}@127.0.0.1:${port}/postgres`
  const command = [join(binaries, 'postgres'), ...serverArguments(folder, port, options)]
  let server = await started(folder, command, adminUrl)

  async function kill(signal: NodeJS.Signals): Promise<void> {
    if (server.watcher.exitCode !== null) return
    const exited = once(server.watcher, 'exit')
    process.kill(server.pid, signal)
    await exited
  }

  return {
    adminUrl,
    createDatabase: (name) => createDatabase(adminUrl, name),
    kill,
    async restart() {
      await kill('SIGINT')
      server = await started(folder, command, adminUrl)
    },
    async stop() {
      await kill('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
function asServerUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function prepareCluster(binaries: string, folder: string): void {
  const user = asServerUser()
  chmodSync(folder, 0o755)
  const password = join(folder, 'password')
  writeFileSync(password, SUPERUSER)
  const run = (command: string, args: string[]): void => {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: folder, ...user })
    if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  }
  if (user.uid !== undefined) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  run(join(binaries, 'initdb'), [
    ...['-D', join(folder, 'cluster'), '-U', SUPERUSER, '--pwfile', password],
    ...['-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
  ])
}

function serverArguments(folder: string, port: number, options: TestPostgresOptions): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...(options.durable
      ? {}
      : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', join(folder, 'cluster'), ...flags]
}

interface RunningServer {
  readonly watcher: ChildProcess
  readonly pid: number
}

/** When its input ends, so do server and folder: a killed test run leaves nothing behind. */
const WATCHER = `
  exec 3<&0
  folder=$1; shift
  "$@" >&2 & server=$!
  echo $server
  (cat <&3; trap '' TERM; kill -INT $server; while kill -0 $server; do sleep 0.1; done
   rm -rf "$folder") >/dev/null 2>&1 & watching=$!
  wait $server; ended=$?
  kill $watching; exit $ended`

async function started(
  folder: string,
  command: string[],
  adminUrl: string,
): Promise<RunningServer> {
  const watcher = spawn('sh', ['-c', WATCHER, 'sh', folder, ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...asServerUser(),
  })
  watcher.on('exit', () => watcher.stdin.destroy())
  let log = ''
  watcher.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-10_000)
  })
  const [pid] = (await once(watcher.stdout, 'data')) as [Buffer]
  const giveUpAt = Date.now() + START_TIMEOUT_MS
  while (Date.now() < giveUpAt && watcher.exitCode === null) {
    if (await answers(adminUrl)) return { watcher, pid: Number(pid) }
    await sleep(POLL_MS)
  }
  watcher.stdin.destroy()
  throw new Error(`PostgreSQL did not start: ${log}`)
}

async function answers(url: string): Promise<boolean> {
  const client = postgres(url, { max: 1, connect_timeout: 1, fetch_types: false })
  try {
    await client`select 1`
    return true
  } catch {
    // Not listening yet, or still starting up: the caller asks again.
    return false
  } finally {
    await client.end({ timeout: 1 })
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('No port could be had.')
  return address.port
}

export async function createDatabase(adminUrl: string, name: string): Promise<TestDatabase> {
  const owner = `${name}_owner`
  const client = postgres(adminUrl, { max: 1, onnotice: () => undefined })
  try {
    await client.unsafe(
      `create role ${quotedName(owner)} login createrole password ${quotedLiteral(owner)}`,
    )
    await client.unsafe(`create database ${quotedName(name)} owner ${quotedName(owner)}`)
  } finally {
    await client.end()
  }
  const urlOf = (role: string): string =>
    Object.assign(new URL(adminUrl), { username: role, password: role, pathname: `/${name}` }).href
  return { adminUrl: urlOf(owner), appUrl: urlOf(`${name}_app`) }
}
