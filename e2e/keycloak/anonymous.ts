import type { Keycloak } from './server.ts'

const AUTH_URL = 'http://localhost:8180'
const ISSUED_AT = 1_800_000_000
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** Members whose value is an id of another form than a UUID. */
const IDS = new Set(['kid', 'sid', 'session_state'])
/** Seconds left, of which a slow machine has used some. */
const LEFT = new Set(['expires_in', 'refresh_expires_in'])
const MINUTE_SECONDS = 60
const TIMES = ['exp', 'iat', 'auth_time'] as const

/**
 * The same document from every run: addresses, ids and times are replaced, lists of names (whose
 * order Keycloak does not promise) are sorted. The distance of the times to each other stays.
 */
export function anonymous(recorded: unknown, { authUrl }: Pick<Keycloak, 'authUrl'>): unknown {
  if (typeof recorded === 'string') {
    return recorded.replaceAll(authUrl, AUTH_URL).replaceAll(UUID, NIL_UUID)
  }
  if (recorded === null || typeof recorded !== 'object') return recorded
  if (Array.isArray(recorded)) {
    const items = recorded.map((item) => anonymous(item, { authUrl }))
    return items.every((item) => typeof item === 'string') ? items.toSorted() : items
  }
  const members = Object.entries(timesAnonymous(recorded as Record<string, unknown>))
  return Object.fromEntries(
    members
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, memberAnonymous(name, member, authUrl)]),
  )
}

function memberAnonymous(name: string, member: unknown, authUrl: string): unknown {
  if (IDS.has(name)) return `any-${name}`
  if (LEFT.has(name)) return Math.ceil(Number(member) / MINUTE_SECONDS) * MINUTE_SECONDS
  return anonymous(member, { authUrl })
}

/** The moment of a login is not repeatable: it becomes the moment of issue. */
function timesAnonymous(members: Record<string, unknown>): Record<string, unknown> {
  const { iat } = members
  if (typeof iat !== 'number') return members
  const replaced = { ...members }
  for (const name of TIMES) {
    const time = members[name]
    if (typeof time === 'number') replaced[name] = ISSUED_AT + Math.max(0, time - iat)
  }
  return replaced
}
