import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '../base/errors.ts'
import { storageErrors } from '../storage/errors.ts'
import { httpErrors } from './errors.ts'
import { inboundOf } from './inbound.ts'
import { HEADER_BLOCK_BYTES } from './limits.ts'
import { instanceOf, PROBLEM_TYPE, problemBody } from './problem.ts'
import { newRequestId } from './request-id.ts'

const RETRY_AFTER_SECONDS = 5

/** A refusal that no request listener saw: the parser's, or that of a deadline. */
export interface SocketRefusal {
  readonly problem: Problem
  readonly requestId: string
  readonly remoteAddress: string | undefined
}

export interface SocketRefusalOptions {
  readonly receiveMs: number
  readonly answerMs: number
  readonly onRefusal: ((refusal: SocketRefusal) => void) | undefined
}

/** Node keeps the answer that is under way at its socket. */
interface HttpSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null
}

/** Order of checks 1, where no request listener is reached: problem+json all the same. */
export function socketRefusals({ receiveMs, answerMs, onRefusal }: SocketRefusalOptions) {
  function refuse(socket: HttpSocket, problem: Problem): void {
    const response = socket._httpMessage
    if (socket.writable && !response?.headersSent) {
      const requestId = response ? inboundOf(response.req).requestId : newRequestId()
      const instance = response ? instanceOf(response.req.url) : ''
      socket.write(answerText(problem, problemBody(problem, instance, requestId), requestId))
      onRefusal?.({ problem, requestId, remoteAddress: socket.remoteAddress })
    }
    socket.destroySoon()
  }

  const late = (): Problem =>
    httpErrors.REQUEST_TIMEOUT(`The request was not complete within ${receiveMs / 1000} s.`)

  return {
    /** The parser met what is no HTTP, or a deadline passed while it waited for more. */
    unreadable(error: NodeJS.ErrnoException, socket: HttpSocket): void {
      const response = socket._httpMessage
      if (error.code === 'ECONNRESET') socket.destroy()
      // What cannot be read came behind a whole request, whose answer is not to be mistaken for it.
      else if (response?.req.complete) response.once('close', () => socket.destroy())
      else refuse(socket, error.code === LATE ? late() : parserProblem(error.code))
    },

    /** A silent socket: the request stopped coming, the answer does not come, or nobody reads it. */
    silent(socket: HttpSocket): void {
      const response = socket._httpMessage
      const isKeptAlive = !response && (socket.bytesRead === 0 || socket.timeout !== answerMs)
      if (isKeptAlive || response?.headersSent) socket.destroy()
      else refuse(socket, response?.req.complete ? tooSlow() : late())
    },
  }
}

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

function parserProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return httpErrors.HEADERS_TOO_LARGE(
      `The header block has more than ${HEADER_BLOCK_BYTES / 1024} KiB.`,
    )
  }
  return httpErrors.REQUEST_MALFORMED('This is not a well-formed HTTP request.')
}

function tooSlow(): Problem {
  return storageErrors.UNAVAILABLE(
    'The answer took too long. Try again shortly.',
    { retryAfter: RETRY_AFTER_SECONDS },
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  )
}

function answerText(problem: Problem, body: string, requestId: string): string {
  const headers = {
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...problem.headers,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.status} ${problem.kind.code}\r\n${lines.join('')}\r\n${body}`
}
