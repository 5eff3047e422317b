import { inject } from 'vitest'
import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import { adminDoor } from './admin.ts'
import { foreignKeycloak } from './foreign-keycloak.ts'
import type { Lent } from './lender.ts'
import type { Keycloak } from './server.ts'
import { foreignServer } from './settings.ts'
import type {} from './shared-keycloak.ts'

/**
 * For a test file: the Keycloak of the run, or the one at `KEYCLOAK_URL`. Making a realm anew takes
 * seconds, so a file leaves demo users as it found them, or asks for a fresh realm.
 */
export async function borrowKeycloak(
  realm: RealmKind,
  { fresh = false }: { readonly fresh?: boolean } = {},
): Promise<Keycloak> {
  const foreign = foreignServer()
  if (foreign !== undefined) return await foreignKeycloak(foreign, realm)
  const { version, ...login } = await asked<Lent>(`lend/${realm}/${fresh ? 'fresh' : 'as-it-is'}`)
  const door = adminDoor(login)
  return {
    authUrl: login.authUrl,
    issuer: `${login.authUrl}/realms/tfs`,
    version,
    admin: door.admin,
    adminRequest: door.request,
    stop: async () => await asked('stop'),
    start: async () => await asked('start'),
    close: () => Promise.resolve(), // the run ends it
  }
}

async function asked<T = void>(what: string): Promise<T> {
  const answer = await fetch(`${inject('keycloakLender')}/${what}`, { method: 'POST' })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return JSON.parse(text) as T
}
