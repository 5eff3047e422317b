import { REALM_FILE, realmFiles } from '../../deploy/keycloak/generate.ts'
import { placeholder } from '../../deploy/keycloak/placeholder.ts'
import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import { adminDoor } from './admin.ts'
import { PERMISSIONS } from './permission-catalogue.ts'
import { HARDENED_ORIGINS, type Keycloak } from './server.ts'
import type { ForeignServer } from './settings.ts'

const NOT_OURS = 'KEYCLOAK_URL is set: the tests do not stop a server that they did not start.'

/** Uses a running Keycloak: the realm is made for the tests and removed by `close`. */
export async function foreignKeycloak(server: ForeignServer, kind: RealmKind): Promise<Keycloak> {
  const authUrl = server.url
  const door = adminDoor({
    authUrl,
    username: server.adminUsername,
    password: server.adminPassword,
  })
  const made = await door.request('POST', '/admin/realms', realmOf(kind))
  if (made.status === 409) {
    throw new Error(`${authUrl} has a realm tfs already; the tests do not touch it.`)
  }
  if (!made.ok) throw new Error(`The realm was refused: ${made.status} ${await made.text()}`)
  return {
    authUrl,
    issuer: `${authUrl}/realms/tfs`,
    version: await versionOf(door.request),
    admin: door.admin,
    adminRequest: door.request,
    stop: () => Promise.reject(new Error(NOT_OURS)),
    start: () => Promise.reject(new Error(NOT_OURS)),
    close: async () => {
      await door.admin('DELETE', '')
    },
  }
}

/** The admin API takes the file as it is; only an import at start fills in the placeholders. */
function realmOf(kind: RealmKind): unknown {
  const text = realmFiles(PERMISSIONS)[REALM_FILE[kind]] as string
  const filled = Object.entries(HARDENED_ORIGINS).reduce(
    (left, [name, value]) => left.replaceAll(placeholder(name), value),
    text,
  )
  return JSON.parse(filled)
}

async function versionOf(request: (method: string, path: string) => Promise<Response>) {
  const answer = await request('GET', '/admin/serverinfo')
  const { systemInfo } = (await answer.json()) as { systemInfo: { version: string } }
  return systemInfo.version
}
