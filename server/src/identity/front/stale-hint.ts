import { decodeJwt, decodeProtectedHeader } from 'jose'
import { PATHS, REALM_PATH } from '../realm.ts'

const HINT = 'id_token_hint'

/**
 * Sessions outlive keys: after a rotation a logout may bring an ID token whose key is gone. Such a
 * hint counts as none; the client that it names is public, and the person is asked before anything
 * ends.
 */
export function withoutStaleHint(url: string, kids: ReadonlySet<string>): string {
  if (!url.startsWith(`${REALM_PATH}${PATHS.endSession}?`)) return url
  const parsed = new URL(url, 'http://localhost')
  const hint = parsed.searchParams.get(HINT)
  if (hint === null) return url
  const named = namesOf(hint)
  if (named === undefined || kids.has(named.kid)) return url
  parsed.searchParams.delete(HINT)
  if (!parsed.searchParams.has('client_id')) parsed.searchParams.set('client_id', named.clientId)
  return `${parsed.pathname}${parsed.search}`
}

function namesOf(hint: string): { kid: string; clientId: string } | undefined {
  try {
    const { kid } = decodeProtectedHeader(hint)
    const { aud } = decodeJwt(hint)
    return typeof kid === 'string' && typeof aud === 'string' ? { kid, clientId: aud } : undefined
  } catch {
    // No token at all: oidc-provider says so.
    return undefined
  }
}
