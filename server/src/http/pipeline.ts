import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { admissionOf } from './admission.ts'
import { type CommandWork, DryRunFinished, runCommand } from './command.ts'
import { statedVersions } from './etag.ts'
import { requestHashOf, requireKey } from './idempotency.ts'
import { inboundOf } from './inbound.ts'
import { inputReaderOf } from './input.ts'
import type { Kernel } from './kernel.ts'
import { pageRequestOf } from './paging.ts'
import { type Answer, answerOf, nextLinkOf, send, serializerOf } from './reply.ts'
import { API_PREFIX, type Route } from './route.ts'
import { scopeFor } from './scope-for.ts'
import { mountStream } from './stream.ts'

/**
 * The path of a request, the same for every route of both surfaces:
 * front (developer headers, limits) → admission (identity, rate, permission) → input → transaction → reply.
 */
export function mount(app: FastifyInstance, route: Route, kernel: Kernel): void {
  if (route.streams !== undefined) {
    mountStream(app, route, kernel)
    return
  }
  const work = route.kind === 'query' ? queryOf(route, kernel) : commandOf(route, kernel)
  app.route({
    method: route.method,
    url: API_PREFIX + route.path,
    onRequest: admissionOf(route, kernel),
    handler: async (request, reply) => send(request, reply, await work(request, reply)),
  })
}

type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>

function queryOf(route: Route, kernel: Kernel): Work {
  const { db, calendar } = kernel
  const read = inputReaderOf(route)
  const serialize = serializerOf(route.reply)
  return async (request) => {
    const caller = request.caller as Caller
    const input = read(request)
    const page = pageRequestOf(caller, route.id, input.query)
    const reply = await db.read(scopeFor(route, caller), async (read) =>
      route.run({ ...input, read, caller, page, calendar }),
    )
    noteAccess(route, kernel, request, reply)
    const answer = answerOf(route.status, reply, serialize(reply))
    const cursor = (reply as { nextCursor?: unknown }).nextCursor
    if (typeof cursor !== 'string') return answer
    return { ...answer, headers: { ...answer.headers, link: nextLinkOf(request.url, cursor) } }
  }
}

/** Platform contract, section 9: staff leave a trace where they look at one party's details. */
function noteAccess(route: Route, kernel: Kernel, request: FastifyRequest, reply: unknown): void {
  const caller = request.caller as Caller
  const item = caller.partyId === undefined ? route.accessed?.(reply) : undefined
  if (item === undefined) return
  const { requestId } = inboundOf(request.raw)
  kernel.noteAccess?.({ item, caller, routeId: route.id, requestId })
}

function commandOf(route: Route, { db, calendar }: Kernel): Work {
  const read = inputReaderOf(route)
  const serialize = serializerOf(route.reply)
  return async (request) => {
    const caller = request.caller as Caller
    const input = read(request)
    const { dryRun, ...query } = input.query
    const key = dryRun ? undefined : requireKey(request.headers['idempotency-key'])
    const work: CommandWork = {
      ...input,
      query,
      route,
      caller,
      calendar,
      serialize,
      dryRun: dryRun === true,
      stated: statedVersions(request.headers['if-match']),
      requestId: inboundOf(request.raw).requestId,
      remoteAddress: request.ip,
      idempotency:
        key === undefined
          ? undefined
          : {
              subject: caller.subject,
              method: route.method,
              path: request.url.split('?', 1)[0] as string,
              key,
              requestHash: requestHashOf(query, input.body),
            },
    }
    try {
      return await db.write(scopeFor(route, caller), (tx) => runCommand(tx, work))
    } catch (error) {
      if (error instanceof DryRunFinished) return error.answer
      throw error
    }
  }
}
