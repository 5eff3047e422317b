import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import type { AdminLogin } from './admin.ts'
import { type OwnKeycloak, ownKeycloak } from './own-keycloak.ts'
import { renewRealm } from './realm-import.ts'
import { progress } from './server.ts'

/** What a test file needs to reach the Keycloak of the run. */
export interface Lent extends AdminLogin {
  readonly version: string
}

export interface Lender {
  /** The Keycloak of the run with a realm that nobody has changed. */
  lend(realm: RealmKind): Promise<Lent>
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** One at a time: the first start and another realm file import at start, later files get theirs anew. */
export function lenderOf(): Lender {
  let current: { readonly realm: RealmKind; readonly keycloak: OwnKeycloak } | undefined

  async function lend(realm: RealmKind): Promise<Lent> {
    if (current?.realm === realm) {
      await current.keycloak.start() // a failed test may have left it stopped
      await renewRealm(current.keycloak.adminRequest, realm)
    } else {
      await close()
      current = { realm, keycloak: await ownKeycloak({ realm, say: progress }) }
    }
    const { login, version } = current.keycloak
    return { ...login, version }
  }

  async function close(): Promise<void> {
    await current?.keycloak.close()
    current = undefined
  }

  return {
    lend,
    close,
    stop: async () => await current?.keycloak.stop(),
    start: async () => await current?.keycloak.start(),
  }
}
