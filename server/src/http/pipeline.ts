import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { partyScopeOf, scopeOf } from '../access/scope.ts'
import type { Scope } from '../storage/scope.ts'
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

/**
 * The path of a request, the same for every route of both surfaces:
 * front (developer headers, limits) → admission (identity, rate, permission) → input → transaction → reply.
 */
export function mount(app: FastifyInstance, route: Route, kernel: Kernel): void {
  const work = route.kind === 'query' ? queryOf(route, kernel) : commandOf(route, kernel)
  app.route({
    method: route.method,
    url: API_PREFIX + route.path,
    onRequest: admissionOf(route, kernel),
    handler: async (request, reply) => send(request, reply, await work(request, reply)),
  })
}

type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<Answer>

function queryOf(route: Route, { db, calendar }: Kernel): Work {
  const read = inputReaderOf(route)
  const serialize = serializerOf(route.reply)
  return async (request) => {
    const caller = request.caller as Caller
    const input = read(request)
    const page = pageRequestOf(caller, route.id, input.query)
    const reply = await db.read(scopeFor(route, caller), async (read) =>
      route.run({ ...input, read, caller, page, calendar }),
    )
    const answer = answerOf(route.status, reply, serialize(reply))
    const cursor = (reply as { nextCursor?: unknown }).nextCursor
    if (typeof cursor !== 'string') return answer
    return { ...answer, headers: { ...answer.headers, link: nextLinkOf(request.url, cursor) } }
  }
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

function scopeFor(route: Route, caller: Caller): Scope {
  return route.surface === 'customer' ? partyScopeOf(caller) : scopeOf(caller)
}
