import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gracefulCloseOf } from './graceful-close.ts'
import {
  ANSWER_TIMEOUT_MS,
  HEADER_BLOCK_BYTES,
  KEEP_ALIVE_MS,
  RECEIVE_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from './limits.ts'
import { type SocketRefusal, socketRefusals } from './socket-refusals.ts'

/** Beyond this the system drops newcomers, who then wait for seconds; it may set a lower limit itself. */
const MOST_UNACCEPTED = 4_096

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
  const closing: ReturnType<typeof gracefulCloseOf>[] = []
  const addresses: string[] = []
  let bound = port
  try {
    for (const host of hosts) {
      const server = serverFor(onRequest, options)
      const close = gracefulCloseOf(server)
      if (!(await isBound(server, host, bound))) continue
      bound = (server.address() as AddressInfo).port
      closing.push(close)
      addresses.push(host)
    }
  } catch (error) {
    await Promise.all(closing.map((close) => close(0)))
    throw error
  }
  if (addresses.length === 0) throw new Error(`No address to listen on among ${hosts.join(', ')}.`)
  return {
    port: bound,
    addresses,
    close: async (graceMs) => {
      await Promise.all(closing.map((close) => close(graceMs)))
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

const NO_SUCH_ADDRESS: ReadonlySet<string | undefined> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/** False where the machine lacks the address: loopback is served in the families that exist. */
function isBound(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      if (NO_SUCH_ADDRESS.has(error.code)) resolve(false)
      else reject(error)
    }
    server.once('error', refuse)
    server.listen({ host, port, exclusive: true, backlog: MOST_UNACCEPTED }, () => {
      server.off('error', refuse)
      resolve(true)
    })
  })
}
