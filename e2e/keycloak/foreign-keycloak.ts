import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import { adminDoor } from './admin.ts'
import { importRealm, requireDone } from './realm-import.ts'
import type { Keycloak } from './server.ts'
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
  const made = await importRealm(door.request, kind)
  if (made.status === 409) {
    throw new Error(`${authUrl} has a realm tfs already; the tests do not touch it.`)
  }
  await requireDone(made)
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

async function versionOf(request: (method: string, path: string) => Promise<Response>) {
  const answer = await request('GET', '/admin/serverinfo')
  const { systemInfo } = (await answer.json()) as { systemInfo: { version: string } }
  return systemInfo.version
}
