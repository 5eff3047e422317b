import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  ANSWER_TIMEOUT_MS,
  HEADER_BLOCK_BYTES,
  KEEP_ALIVE_MS,
  RECEIVE_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from './limits.ts'
import { type SocketRefusal, socketRefusals } from './socket-refusals.ts'

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

export interface Listener {
  readonly port: number
  readonly addresses: readonly string[]
  /** Lets running requests finish, for a bounded time. */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  /** Until the whole request must have come. */
  readonly receiveMs?: number
  /** Until the first byte of the answer must have gone. */
  readonly answerMs?: number
  /** How often it is looked whether a request is late. */
  readonly checkEveryMs?: number
  readonly onRefusal?: (refusal: SocketRefusal) => void
}

/** One program, several addresses: loopback means both families. */
export async function listen(
  hosts: readonly string[],
  port: number,
  onRequest: RequestListener,
  options: ListenOptions = {},
): Promise<Listener> {
  const servers: Server[] = []
  let bound = port
  try {
    for (const host of hosts) {
      const server = serverFor(onRequest, options)
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

function serverFor(onRequest: RequestListener, options: ListenOptions): Server {
  const { receiveMs = RECEIVE_TIMEOUT_MS, answerMs = ANSWER_TIMEOUT_MS } = options
  const server = createServer(
    {
      maxHeaderSize: HEADER_BLOCK_BYTES,
      requestTimeout: receiveMs,
      headersTimeout: receiveMs,
      connectionsCheckingInterval: options.checkEveryMs ?? TIMEOUT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Our own check answers with a problem body; Node's answers with nothing.
      requireHostHeader: false,
    },
    onRequest,
  )
  const refusals = socketRefusals({ receiveMs, answerMs, onRefusal: options.onRefusal })
  // Node would drop lines beyond its maximum silently; ours are counted and refused.
  server.maxHeadersCount = 0
  server.on('checkExpectation', onRequest)
  server.on('clientError', refusals.unreadable)
  server.on('connect', (request, socket) =>
    onRequest(request, answerOver(request, socket as Socket)),
  )
  server.setTimeout(answerMs, refusals.silent)
  return server
}

/** CONNECT asks for a tunnel, which is never opened; it is refused like any other request. */
function answerOver(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  return response
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
