import { REALM_FILE, realmFiles } from '../../deploy/keycloak/generate.ts'
import { placeholder } from '../../deploy/keycloak/placeholder.ts'
import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import type { AdminDoor } from './admin.ts'
import { PERMISSIONS } from './permission-catalogue.ts'

/** Values for the placeholders of the hardened realm file. */
export const HARDENED_ORIGINS = {
  TFS_CONSOLE_ORIGIN: 'https://console.example.org',
  TFS_PORTAL_ORIGIN: 'https://portal.example.org',
}

type Request = AdminDoor['request']

/** The realm file through the admin API. */
export async function importRealm(request: Request, kind: RealmKind): Promise<Response> {
  return await request('POST', '/admin/realms', realmOf(kind))
}

/** Accounts, keys and sessions of the realm are gone; it is as the file says again. */
export async function renewRealm(request: Request, kind: RealmKind): Promise<void> {
  await requireDone(await request('DELETE', '/admin/realms/tfs'))
  await requireDone(await importRealm(request, kind))
}

export async function requireDone(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${await answer.text()}`)
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
