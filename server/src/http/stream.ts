import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { storageErrors } from '../storage/errors.ts'
import { admissionOf } from './admission.ts'
import { httpErrors } from './errors.ts'
import { inboundOf } from './inbound.ts'
import { inputReaderOf } from './input.ts'
import type { Kernel } from './kernel.ts'
import { STREAM_SILENCE_MS } from './limits.ts'
import { pageRequestOf } from './paging.ts'
import { withVary } from './reply.ts'
import { API_PREFIX, type Route } from './route.ts'
import { scopeFor } from './scope-for.ts'
import type { StreamInput } from './stream-route.ts'

export const MOST_STREAMS = 100
export const MOST_STREAMS_OF_SUBJECT = 5
const RETRY_AFTER_SECONDS = 5
const UNKEPT = { 'cache-control': 'no-store', vary: 'Authorization' }

/** The same path as every request up to the input; then text flows until it ends. */
export function mountStream(app: FastifyInstance, route: Route, kernel: Kernel): void {
  const read = inputReaderOf(route)
  const seats = seatsOf()
  app.route({
    method: 'GET',
    url: API_PREFIX + route.path,
    onRequest: admissionOf(route, kernel),
    handler: async (request, reply) => {
      const input = read(request)
      reply.headers(withVary(UNKEPT, reply.getHeader('vary')))
      reply.type(`${route.streams}; charset=utf-8`)
      // A proxy that collects an answer before it passes it on would make a stream useless.
      reply.header('x-accel-buffering', 'no')
      // Nothing is begun for someone who asks for the headers alone.
      if (request.method === 'HEAD') return reply.send('')
      const caller = request.caller as Caller
      reply.raw.once('close', seats.take(caller.subject))
      const signal = endOf(request, reply, kernel)
      const pieces = await kernel.db.read(scopeFor(route, caller), async (read) =>
        route.run({
          ...input,
          ...{ read, caller, signal },
          page: pageRequestOf(caller, route.id, input.query),
          calendar: kernel.calendar,
          clock: kernel.clock,
          lastEventId: lastEventIdOf(request),
        } satisfies StreamInput<unknown, unknown>),
      )
      const flow = told(pieces as AsyncIterable<string>, request, kernel)
      return reply.send(Readable.from(flow, { objectMode: false }))
    },
  })
}

/** Over when the answer is, for whatever reason, or when the process begins to stop. */
function endOf(request: FastifyRequest, reply: FastifyReply, kernel: Kernel): AbortSignal {
  const over = new AbortController()
  reply.raw.once('close', () => over.abort())
  // Platform contract, section 8: streams are exempt from the time to answer. Nobody reading is not.
  request.raw.socket.setTimeout(STREAM_SILENCE_MS)
  const { stopping } = kernel
  if (stopping === undefined) return over.signal
  if (stopping.aborted) over.abort()
  const stop = (): void => over.abort()
  stopping.addEventListener('abort', stop, { once: true })
  reply.raw.once('close', () => stopping.removeEventListener('abort', stop))
  return over.signal
}

/** The status has gone already, so a fault can only be told to those who watch. */
async function* told(
  pieces: AsyncIterable<string>,
  request: FastifyRequest,
  { log }: Kernel,
): AsyncIterable<string> {
  try {
    yield* pieces
  } catch (error) {
    const { requestId } = inboundOf(request.raw)
    log.error({ requestId, route: request.matched?.id, err: error }, 'a stream was cut off')
    throw error
  }
}

function lastEventIdOf(request: FastifyRequest): string | undefined {
  const header = request.headers['last-event-id']
  return typeof header === 'string' && header !== '' ? header : undefined
}

/** A bounded number of streams, and no subject takes all of them. */
function seatsOf() {
  const taken = new Map<string, number>()
  let all = 0
  const wait = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  return {
    take(subject: string): () => void {
      const own = taken.get(subject) ?? 0
      if (own >= MOST_STREAMS_OF_SUBJECT) {
        throw httpErrors.RATE_LIMITED(
          `You have ${own} streams open here already; close one first.`,
          { retryAfter: RETRY_AFTER_SECONDS },
          wait,
        )
      }
      if (all >= MOST_STREAMS) {
        throw storageErrors.UNAVAILABLE(
          'As many streams are open as this process serves. Try again shortly.',
          { retryAfter: RETRY_AFTER_SECONDS },
          wait,
        )
      }
      taken.set(subject, own + 1)
      all += 1
      return () => {
        all -= 1
        const left = (taken.get(subject) as number) - 1
        if (left === 0) taken.delete(subject)
        else taken.set(subject, left)
      }
    },
  }
}
