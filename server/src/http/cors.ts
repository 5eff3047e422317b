import type { IncomingMessage } from 'node:http'
import { DEVELOPER_HEADERS } from '../access/dev-headers.ts'

const METHODS = 'GET, HEAD, POST, PATCH'
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'if-match',
  'if-none-match',
  'idempotency-key',
  'x-request-id',
  'last-event-id',
]
const EXPOSED =
  'etag, link, location, retry-after, www-authenticate, x-request-id, idempotent-replayed, deprecation, sunset'
const PREFLIGHT_SECONDS = '600'

export interface Cors {
  /** Headers of any answer to this request. */
  headersFor(request: IncomingMessage): Readonly<Record<string, string>>
  /** Headers of a preflight's answer; undefined when it is none, or of an origin not listed. */
  preflight(request: IncomingMessage): Readonly<Record<string, string>> | undefined
}

const NONE: Readonly<Record<string, string>> = Object.freeze({})

/** Developer headers are never allowed across origins while a provider is configured. */
export function corsOf(origins: readonly string[], developerMode: boolean): Cors {
  const listed = new Set(origins)
  const allowed = [...REQUEST_HEADERS, ...(developerMode ? DEVELOPER_HEADERS : [])].join(', ')
  const originOf = (request: IncomingMessage): string | undefined => {
    const origin = request.headers.origin
    return origin !== undefined && listed.has(origin) ? origin : undefined
  }
  return {
    headersFor(request) {
      if (listed.size === 0) return NONE
      const origin = originOf(request)
      if (origin === undefined) return { vary: 'Origin' }
      return {
        vary: 'Origin',
        'access-control-allow-origin': origin,
        'access-control-expose-headers': EXPOSED,
      }
    },
    preflight(request) {
      const origin = originOf(request)
      if (origin === undefined) return undefined
      if (request.headers['access-control-request-method'] === undefined) return undefined
      return {
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
        'access-control-allow-origin': origin,
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': allowed,
        'access-control-max-age': PREFLIGHT_SECONDS,
      }
    },
  }
}
