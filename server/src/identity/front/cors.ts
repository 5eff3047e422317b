import type { IncomingMessage, ServerResponse } from 'node:http'

const PREFLIGHT_SECONDS = '3600'
const METHODS = 'GET, POST'
const HEADERS = 'authorization, content-type'
const FORBIDDEN = 403

export type IsRegisteredOrigin = (origin: string) => boolean

/**
 * Only pages of registered origins may call and read. Answers true when the request is done with.
 * The headers set here also tell oidc-provider to leave CORS alone: it would let any origin in.
 */
export function answersCors(
  request: IncomingMessage,
  response: ServerResponse,
  isRegistered: IsRegisteredOrigin,
): boolean {
  const { origin } = request.headers
  response.setHeader('vary', 'Origin')
  response.setHeader('access-control-expose-headers', 'WWW-Authenticate')
  const allowed = origin !== undefined && isRegistered(origin)
  if (allowed) response.setHeader('access-control-allow-origin', origin)
  if (request.method === 'OPTIONS') {
    if (allowed) {
      response.setHeader('access-control-allow-methods', METHODS)
      response.setHeader('access-control-allow-headers', HEADERS)
      response.setHeader('access-control-max-age', PREFLIGHT_SECONDS)
    }
    response.writeHead(allowed ? 204 : FORBIDDEN, { 'content-length': 0 }).end()
    return true
  }
  if (origin === undefined || allowed) return false
  const body = JSON.stringify({
    error: 'invalid_request',
    error_description: 'This origin is not registered.',
  })
  response.writeHead(FORBIDDEN, { 'content-type': 'application/json' }).end(body)
  return true
}
