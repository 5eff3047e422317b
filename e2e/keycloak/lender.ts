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
  /** The Keycloak of the run with this realm; `fresh`: as the file says, whatever tests did before. */
  lend(realm: RealmKind, fresh: boolean): Promise<Lent>
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** The first file and each change of realm import at start; a fresh realm in between needs none. */
export function lenderOf(): Lender {
  let keycloak: OwnKeycloak | undefined
  let lentRealm: RealmKind | undefined

  return {
    async lend(realm, fresh) {
      if (keycloak === undefined) {
        keycloak = await ownKeycloak({ realm, say: progress })
      } else if (lentRealm === realm) {
        await keycloak.start() // a failed test may have left it stopped
        if (fresh) await renewRealm(keycloak.adminRequest, realm)
      } else {
        await keycloak.useRealm(realm)
      }
      lentRealm = realm
      return { ...keycloak.login, version: keycloak.version }
    },
    stop: async () => await keycloak?.stop(),
    start: async () => await keycloak?.start(),
    close: async () => await keycloak?.close(),
  }
}
