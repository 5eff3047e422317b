import type { IncomingMessage, ServerResponse } from 'node:http'
import { requireNoDeveloperHeaders } from '../access/dev-headers.ts'
import { accessErrors } from '../access/errors.ts'
import type { Problem } from '../base/errors.ts'
import { isLoopbackHostHeader } from '../base/loopback.ts'
import type { Cors } from './cors.ts'
import { httpErrors } from './errors.ts'
import { type Inbound, inboundOf, markInbound } from './inbound.ts'
import { BODY_LIMIT_BYTES, MOST_HEADER_LINES } from './limits.ts'
import { instanceOf, PROBLEM_TYPE, problemBody, problemOf } from './problem.ts'

export interface FrontOptions {
  readonly developerMode: boolean
  readonly cors: Cors
  /** Methods that a path has, for `Allow`. */
  readonly methodsOf: (path: string) => readonly string[]
  readonly isStopping: () => boolean
  /** The answer to a request that would only make everyone wait. */
  readonly overload: () => Problem | undefined
  /** Every refusal here is a security event: a log line and a count, never the token. */
  readonly onRefusal: (problem: Problem, request: IncomingMessage, requestId: string) => void
  readonly next: (request: IncomingMessage, response: ServerResponse) => void
}

/** RFC 9112, 3.2: a Host that is none is refused; `user@host`, paths and lists are none. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+;=%-]+)(?::\d{0,5})?$/
const PROXY_HEADER = /^(?:forwarded|via|x-forwarded-.*)$/

/**
 * What stands before the router, since a malformed path never reaches the router's hooks: order of
 * checks 2 and 3, on every path of the listener.
 */
export function frontOf(options: FrontOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const inbound = markInbound(request)
    if (options.isStopping()) response.setHeader('connection', 'close')
    try {
      if (options.developerMode) requireLocal(request)
      else requireNoDeveloperHeaders(request.rawHeaders)
      requireWellFormed(request, inbound)
      requireWithinLimits(request)
      if (request.method === 'OPTIONS') {
        answerOptions(request, response, inbound, options)
        return
      }
    } catch (error) {
      const problem = problemOf(error)
      options.onRefusal(problem, request, inbound.requestId)
      sendProblem(request, response, problem, options.cors)
      return
    }
    const overload = isWatching(request) ? undefined : options.overload()
    if (overload) sendProblem(request, response, overload, options.cors)
    else options.next(request, response)
  }
}

/** Whoever watches must see an overloaded process, not be turned away by it. */
function isWatching({ url }: IncomingMessage): boolean {
  return url === '/healthz' || url === '/readyz'
}

/** Developer mode trusts its headers, so nobody else's browser or proxy may carry a request here. */
function requireLocal(request: IncomingMessage): void {
  const proxied = Object.keys(request.headers).some((name) => PROXY_HEADER.test(name))
  if (!proxied && isLoopbackHostHeader(request.headers.host ?? '')) return
  throw accessErrors.DEVELOPER_MODE_LOCAL_ONLY(
    'This platform runs in developer mode and answers only requests to localhost that came through no proxy. ' +
      'Set OIDC_ISSUER to serve others.',
  )
}

function requireWellFormed(request: IncomingMessage, inbound: Inbound): void {
  if (request.httpVersionMajor !== 1) {
    throw httpErrors.REQUEST_MALFORMED('Speak HTTP/1.1.')
  }
  if (inbound.hostLines !== 1) {
    throw httpErrors.REQUEST_MALFORMED('Send exactly one Host header.')
  }
  if (!HOST.test(request.headers.host ?? '')) {
    throw httpErrors.REQUEST_MALFORMED('The Host header must be a host, with a port at most.')
  }
  if (request.url?.[0] !== '/') {
    throw httpErrors.REQUEST_MALFORMED('The target must be a path that starts with a slash.')
  }
  const { expect } = request.headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw httpErrors.REQUEST_MALFORMED('Expect can only ask for 100-continue.')
  }
}

function requireWithinLimits(request: IncomingMessage): void {
  if (request.rawHeaders.length / 2 > MOST_HEADER_LINES) {
    throw httpErrors.HEADERS_TOO_LARGE(`Send at most ${MOST_HEADER_LINES} header lines.`)
  }
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES) {
    throw httpErrors.PAYLOAD_TOO_LARGE(`A body has at most ${BODY_LIMIT_BYTES / 1024} KiB.`)
  }
}

/** A preflight is answered before identity, only for listed origins; any other OPTIONS is 405. */
function answerOptions(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId }: Inbound,
  { cors, methodsOf }: FrontOptions,
): void {
  const headers = cors.preflight(request)
  if (headers !== undefined) {
    response.writeHead(204, { ...headers, 'x-request-id': requestId }).end()
    return
  }
  const methods = methodsOf(instanceOf(request.url))
  throw httpErrors.METHOD_NOT_ALLOWED(
    'OPTIONS is answered only as a preflight of a listed origin.',
    {},
    {
      allow: methods.join(', '),
    },
  )
}

/** Writes a problem where no framework is at hand. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  cors: Cors,
): void {
  const { requestId } = inboundOf(request)
  const body = problemBody(problem, instanceOf(request.url), requestId)
  // The body of a refused request is not read, so the connection cannot be used again.
  const unread = request.headers['content-length'] ?? request.headers['transfer-encoding']
  response.writeHead(problem.status, {
    ...cors.headersFor(request),
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(unread !== undefined && unread !== '0' && { connection: 'close' }),
    ...problem.headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}
