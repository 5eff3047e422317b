import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Problem } from '../base/errors.ts'
import { storageErrors } from '../storage/errors.ts'
import { httpErrors } from './errors.ts'
import {
  ANSWER_TIMEOUT_MS,
  HEADER_BLOCK_BYTES,
  KEEP_ALIVE_MS,
  RECEIVE_TIMEOUT_MS,
} from './limits.ts'
import { PROBLEM_TYPE, problemBody } from './problem.ts'

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export interface Listener {
  readonly port: number
  readonly addresses: readonly string[]
  /** Lets running requests finish, for a bounded time. */
  close(graceMs: number): Promise<void>
}

/** One program, several addresses: loopback means both families. */
export async function listen(
  hosts: readonly string[],
  port: number,
  onRequest: RequestListener,
): Promise<Listener> {
  const servers: Server[] = []
  let bound = port
  try {
    for (const host of hosts) {
      const server = serverFor(onRequest)
      await bind(server, host, bound)
      bound = (server.address() as AddressInfo).port
      servers.push(server)
    }
  } catch (error) {
    await Promise.all(servers.map((server) => closed(server, 0)))
    throw error
  }
  if (servers.length === 0) throw new Error(`No address to listen on among ${hosts.join(', ')}.`)
  return {
    port: bound,
    addresses: hosts,
    close: async (graceMs) => {
      await Promise.all(servers.map((server) => closed(server, graceMs)))
    },
  }
}

function serverFor(onRequest: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADER_BLOCK_BYTES,
      requestTimeout: RECEIVE_TIMEOUT_MS,
      headersTimeout: RECEIVE_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Our own check answers with a problem body; Node's answers with nothing.
      requireHostHeader: false,
    },
    onRequest,
  )
  // Node would drop lines beyond its maximum silently; ours are counted and refused.
  server.maxHeadersCount = 0
  server.on('checkExpectation', onRequest)
  server.on('clientError', answerParserError)
  server.setTimeout(ANSWER_TIMEOUT_MS, answerTimeout)
  return server
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(deadline)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** Order of checks 1: what the parser refuses is problem+json too. */
function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.writable && error.code !== 'ECONNRESET')
    writeProblem(socket, parserProblem(error.code))
  socket.destroy()
}

function parserProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return httpErrors.HEADERS_TOO_LARGE(
      `The header block has more than ${HEADER_BLOCK_BYTES / 1024} KiB.`,
    )
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return httpErrors.REQUEST_TIMEOUT(
      `The request was not complete within ${RECEIVE_TIMEOUT_MS / 1000} s.`,
    )
  }
  return httpErrors.REQUEST_MALFORMED('This is not a well-formed HTTP request.')
}

/** A silent socket: nothing was answered in time, or the client stopped reading. */
function answerTimeout(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  const response = socket._httpMessage
  if (response && !response.headersSent && socket.writable) {
    writeProblem(
      socket,
      storageErrors.UNAVAILABLE('The answer took too long. Try again shortly.', { retryAfter: 5 }),
    )
  }
  socket.destroy()
}

function writeProblem(socket: Socket, problem: Problem): void {
  const requestId = 'none'
  const body = problemBody(problem, '', requestId)
  socket.write(
    `HTTP/1.1 ${problem.status} ${problem.kind.code}\r\ncontent-type: ${PROBLEM_TYPE}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\n` +
      `${problem.status === 503 ? 'retry-after: 5\r\n' : ''}connection: close\r\n\r\n${body}`,
  )
}
