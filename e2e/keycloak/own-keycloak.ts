import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IMPORT_NAME, REALM_FILE, realmFiles } from '../../deploy/keycloak/generate.ts'
import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import { freePort } from '../../server/test/free-port.ts'
import { type AdminLogin, adminDoor } from './admin.ts'
import { BUILD_OPTIONS, installedDistribution } from './distribution.ts'
import { environmentWithoutKeycloak, keycloakCommand } from './java.ts'
import { type KeycloakProcess, launchKeycloak } from './keycloak-process.ts'
import { PERMISSIONS } from './permission-catalogue.ts'
import { HARDENED_ORIGINS } from './realm-import.ts'
import type { Keycloak, StartOptions } from './server.ts'

const ADMIN_USERNAME = 'admin'

type OwnOptions = StartOptions & Required<Pick<StartOptions, 'say'>>

export interface OwnKeycloak extends Keycloak {
  readonly login: AdminLogin
  /** Starts anew with the other realm file. The database is there already: that is the quicker half. */
  useRealm(realm: RealmKind): Promise<void>
}

/** Starts the pinned Keycloak; data, import and log live in a directory of this run alone. */
export async function ownKeycloak(options: OwnOptions): Promise<OwnKeycloak> {
  const { say } = options
  const { version, library } = await installedDistribution(say)
  const port = options.port ?? (await freePort())
  const authUrl = `http://localhost:${port}`
  const home = await newHome(library)
  await placeRealm(home, options.realm)
  const removeHome = () => rmSync(home, { recursive: true, force: true })
  process.once('exit', removeHome)
  const password = randomBytes(16).toString('hex')

  let running: KeycloakProcess | undefined
  const start = async () => {
    if (running !== undefined) return
    const managementPort = await freePort()
    say(`starting ${version} at ${authUrl}`)
    running = await launchKeycloak({
      args: keycloakCommand(home, runArguments(port, managementPort)),
      env: environment(password),
      logFile: join(home, 'keycloak.log'),
      readyUrl: `http://127.0.0.1:${managementPort}/health/ready`,
      say,
    })
  }
  const stop = async () => {
    await running?.stop()
    running = undefined
  }
  const close = async () => {
    await stop()
    process.off('exit', removeHome)
    removeHome()
  }
  try {
    await start()
  } catch (error) {
    await close()
    throw error
  }
  const login = { authUrl, username: ADMIN_USERNAME, password }
  const door = adminDoor(login)
  return {
    login,
    authUrl,
    issuer: `${authUrl}/realms/tfs`,
    version,
    admin: door.admin,
    adminRequest: door.request,
    start,
    stop,
    close,
    async useRealm(realm) {
      await start()
      await door.admin('DELETE', '')
      await stop()
      await placeRealm(home, realm)
      await start()
    },
  }
}

async function newHome(library: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'tfs-keycloak-'))
  for (const directory of ['conf', 'providers', 'themes']) await mkdir(join(home, directory))
  // Keycloak looks for its build here, and builds anew where it finds none.
  await symlink(library, join(home, 'lib'))
  return home
}

/** Imported at the next start, where there is no realm of that name. */
async function placeRealm(home: string, realm: RealmKind): Promise<void> {
  const importDirectory = join(home, 'data', 'import')
  await mkdir(importDirectory, { recursive: true })
  const text = realmFiles(PERMISSIONS)[REALM_FILE[realm]] as string
  await writeFile(join(importDirectory, IMPORT_NAME), text)
}

/**
 * Without the host name `iss` would follow the address of each request. With the dynamic back
 * channel the other addresses do, as an API needs that reaches Keycloak by an inner address.
 */
function runArguments(port: number, managementPort: number): string[] {
  return [
    'start-dev',
    ...BUILD_OPTIONS,
    '--import-realm',
    '--http-host=127.0.0.1',
    `--http-port=${port}`,
    `--http-management-port=${managementPort}`,
    `--hostname=http://localhost:${port}`,
    '--hostname-backchannel-dynamic=true',
  ]
}

function environment(password: string): NodeJS.ProcessEnv {
  return {
    ...environmentWithoutKeycloak(),
    ...HARDENED_ORIGINS,
    KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN_USERNAME,
    KC_BOOTSTRAP_ADMIN_PASSWORD: password,
  }
}
