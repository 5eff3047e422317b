export type RealmKind = 'demo' | 'hardened'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 60 * MINUTE_SECONDS
const DAY_SECONDS = 24 * HOUR_SECONDS

const ACCESS_TOKEN_SECONDS = 5 * MINUTE_SECONDS
const SESSION_IDLE_SECONDS = 30 * MINUTE_SECONDS
const SESSION_MAX_SECONDS = 10 * HOUR_SECONDS
const FAILURES_UNTIL_LOCK = 5
const EVENTS_KEPT_SECONDS = 90 * DAY_SECONDS

/** Both realms behave alike towards clients; what only production needs is added by `HARDENING`. */
const COMMON = {
  realm: 'tfs',
  displayName: 'TFS',
  enabled: true,
  sslRequired: 'external',
  registrationAllowed: false,
  resetPasswordAllowed: false,
  rememberMe: false,
  // Four-eyes compares user names: nobody renames himself.
  editUsernameAllowed: false,
  loginWithEmailAllowed: false,
  duplicateEmailsAllowed: false,
  defaultSignatureAlgorithm: 'RS256',
  accessTokenLifespan: ACCESS_TOKEN_SECONDS,
  accessCodeLifespan: MINUTE_SECONDS,
  accessCodeLifespanUserAction: 5 * MINUTE_SECONDS,
  accessCodeLifespanLogin: 15 * MINUTE_SECONDS,
  ssoSessionIdleTimeout: SESSION_IDLE_SECONDS,
  ssoSessionMaxLifespan: SESSION_MAX_SECONDS,
  offlineSessionIdleTimeout: SESSION_IDLE_SECONDS,
  offlineSessionMaxLifespanEnabled: true,
  offlineSessionMaxLifespan: SESSION_MAX_SECONDS,
  oauth2DeviceCodeLifespan: 10 * MINUTE_SECONDS,
  oauth2DevicePollingInterval: 5,
  revokeRefreshToken: true,
  refreshTokenMaxReuse: 0,
  bruteForceProtected: true,
  permanentLockout: false,
  failureFactor: FAILURES_UNTIL_LOCK,
  waitIncrementSeconds: MINUTE_SECONDS,
  maxFailureWaitSeconds: 15 * MINUTE_SECONDS,
  maxDeltaTimeSeconds: 12 * HOUR_SECONDS,
} as const

const HARDENING = {
  quickLoginCheckMilliSeconds: 1000,
  minimumQuickLoginWaitSeconds: MINUTE_SECONDS,
  passwordPolicy: [
    'length(12)',
    'notUsername(undefined)',
    'notEmail(undefined)',
    'notContainsUsername(undefined)',
    'passwordHistory(5)',
  ].join(' and '),
  eventsEnabled: true,
  eventsExpiration: EVENTS_KEPT_SECONDS,
  adminEventsEnabled: true,
  adminEventsDetailsEnabled: true,
} as const

/** Two quick failures would lock a demo user for a minute, in the middle of a script. */
const DEMO = { quickLoginCheckMilliSeconds: 0 } as const

export function realmSettings(kind: RealmKind): object {
  return { ...COMMON, ...(kind === 'hardened' ? HARDENING : DEMO) }
}
