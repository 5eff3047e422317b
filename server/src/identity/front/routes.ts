import { PATHS, REALM_PATH } from '../realm.ts'

/** What stands behind an address of the realm. */
export type Target =
  /** Machines call it; other pages may too, where their origin is registered. */
  | { readonly kind: 'API'; readonly path: string }
  /** People see it. */
  | { readonly kind: 'PAGE'; readonly path: string }
  | { readonly kind: 'SIGN_IN'; readonly interactionId: string }
  | { readonly kind: 'USERINFO' }
  | { readonly kind: 'INTROSPECTION' }

const API_PATHS: ReadonlySet<string> = new Set([
  PATHS.discovery,
  PATHS.oauthDiscovery,
  PATHS.jwks,
  PATHS.token,
  PATHS.revocation,
  PATHS.deviceAuthorization,
])
const PAGE_PATHS: ReadonlySet<string> = new Set([
  PATHS.authorization,
  PATHS.endSession,
  PATHS.endSessionConfirm,
  PATHS.endSessionSuccess,
  PATHS.device,
])
const ID = '([\\w-]{16,64})'
const RESUMED = new RegExp(`^(?:${PATHS.authorization}|${PATHS.device})/${ID}$`)
const SIGN_IN = new RegExp(`^${PATHS.signIn}/${ID}$`)

/**
 * Exact addresses only. oidc-provider's router folds case and trailing slashes; what it would take
 * beyond this list never reaches it, so that no check in front can be walked around.
 */
export function targetOf(url: string): Target | undefined {
  const [path = ''] = url.split('?', 1)
  if (!path.startsWith(`${REALM_PATH}/`)) return undefined
  const inside = path.slice(REALM_PATH.length)
  if (inside === PATHS.userinfo) return { kind: 'USERINFO' }
  if (inside === PATHS.introspection) return { kind: 'INTROSPECTION' }
  if (API_PATHS.has(inside)) return { kind: 'API', path: inside }
  if (PAGE_PATHS.has(inside) || RESUMED.test(inside)) return { kind: 'PAGE', path: inside }
  const interactionId = SIGN_IN.exec(inside)?.[1]
  return interactionId === undefined ? undefined : { kind: 'SIGN_IN', interactionId }
}
