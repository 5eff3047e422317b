import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import type { AdminApi, AdminDoor } from './admin.ts'
import { foreignKeycloak } from './foreign-keycloak.ts'
import { ownKeycloak } from './own-keycloak.ts'
import { foreignServer } from './settings.ts'

export interface Keycloak {
  /** `{auth_url}` of the contract, e.g. `http://localhost:8180`. */
  readonly authUrl: string
  readonly issuer: string
  readonly version: string
  readonly admin: AdminApi
  readonly adminRequest: AdminDoor['request']
  /** Keeps accounts, sessions and keys for the next `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops for good and removes everything that was made. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly realm: RealmKind
  readonly port?: number
  readonly say?: (line: string) => void
}

/** A real Keycloak with our realm: the one at `KEYCLOAK_URL`, or one of our own on loopback. */
export async function startKeycloak({ say = progress, ...options }: StartOptions) {
  const foreign = foreignServer()
  return foreign === undefined
    ? await ownKeycloak({ ...options, say })
    : await foreignKeycloak(foreign, options.realm)
}

export function progress(line: string): void {
  process.stderr.write(`keycloak: ${line}\n`)
}
