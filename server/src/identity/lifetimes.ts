const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds. The realm files for Keycloak say the same. */
export const ACCESS_TOKEN_SECONDS = 5 * MINUTE
export const CODE_SECONDS = MINUTE
export const DEVICE_CODE_SECONDS = 10 * MINUTE
export const SIGN_IN_SECONDS = 15 * MINUTE
export const SESSION_IDLE_SECONDS = 30 * MINUTE
/** Absolute: nothing that a sign-in gave outlives it, whatever is refreshed. */
export const SESSION_MAX_SECONDS = 10 * HOUR
/** A session nobody has signed in to yet: it holds the form of a device code or a logout. */
export const ANONYMOUS_SESSION_SECONDS = SIGN_IN_SECONDS

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** How long a session that was signed in to at `loginAt` lives on when it is used now. */
export function sessionSecondsLeft(loginAt: number | undefined, now = nowSeconds()): number {
  if (loginAt === undefined) return ANONYMOUS_SESSION_SECONDS
  return Math.max(1, Math.min(SESSION_IDLE_SECONDS, loginAt + SESSION_MAX_SECONDS - now))
}
