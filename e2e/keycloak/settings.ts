import { homedir } from 'node:os'
import { join } from 'node:path'

/** A Keycloak that is already there, instead of one that the tests start. */
export interface ForeignServer {
  readonly url: string
  readonly adminUsername: string
  readonly adminPassword: string
}

export interface Release {
  readonly version: string
  readonly sha256: string
}

/** The newest release whose distribution could be had when this was written. */
const PINNED: Release = {
  version: '26.7.3',
  sha256: '27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f',
}

export function foreignServer(env = process.env): ForeignServer | undefined {
  const url = env['KEYCLOAK_URL']
  if (url === undefined) return undefined
  const adminUsername = env['KEYCLOAK_ADMIN_USERNAME']
  const adminPassword = env['KEYCLOAK_ADMIN_PASSWORD']
  if (!URL.canParse(url)) throw new Error('KEYCLOAK_URL: not an absolute URL.')
  if (!adminUsername || !adminPassword) {
    throw new Error('KEYCLOAK_URL needs KEYCLOAK_ADMIN_USERNAME and KEYCLOAK_ADMIN_PASSWORD.')
  }
  return { url: url.replace(/\/+$/, ''), adminUsername, adminPassword }
}

/** Another release than the pinned one comes with its own checksum: nothing unchecked is run. */
export function wantedRelease(env = process.env): Release {
  const version = env['KEYCLOAK_VERSION']
  const sha256 = env['KEYCLOAK_SHA256']
  if (version === undefined || version === PINNED.version) return PINNED
  if (!sha256 || !/^[0-9a-f]{64}$/.test(sha256)) {
    throw new Error(
      `KEYCLOAK_VERSION=${version} needs KEYCLOAK_SHA256, the 64 hex digits of its zip.`,
    )
  }
  return { version, sha256 }
}

export function cacheDirectory(env = process.env): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tfs')
}
