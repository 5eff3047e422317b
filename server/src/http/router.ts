import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { Cors } from './cors.ts'
import { inboundOf } from './inbound.ts'
import { parseJsonBody } from './json-body.ts'
import type { Kernel } from './kernel.ts'
import { BODY_LIMIT_BYTES, LONGEST_PATH_PARAMETER } from './limits.ts'
import { unknownPath } from './not-found.ts'
import { mount } from './pipeline.ts'
import { answerError, type StrangerRefusal } from './refusals.ts'
import type { Route } from './route.ts'

export interface RouterOptions {
  readonly kernel: Kernel
  readonly routes: readonly Route[]
  readonly cors: Cors
  readonly trustProxy: boolean | string[] | ((address: string, hop: number) => boolean)
  /** Told after every answer, with the route that served it. */
  readonly onAnswer: (request: FastifyRequest, reply: FastifyReply) => void
  /** Told of every refusal of someone whose identity is not settled. */
  readonly onStranger: (refusal: StrangerRefusal) => void
}

/** The framework, tamed: our parser, our errors, our order of checks. */
export function routerOf(options: RouterOptions): FastifyInstance {
  const { kernel, routes, cors } = options
  const answer = answerError(kernel, options.onStranger)
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustProxy,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    frameworkErrors: (error, request, reply) => {
      void answer(error, request, reply as FastifyReply)
    },
  })
  app.decorateRequest('caller', null as Caller | null)
  app.decorateRequest('matched', null as Route | null)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parseJsonBody(request.headers['content-type'], bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(cors.headersFor(request.raw))
    reply.header('x-request-id', inboundOf(request.raw).requestId)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    options.onAnswer(request, reply)
    done()
  })
  app.setErrorHandler(answer)
  app.setNotFoundHandler(unknownPath(kernel, routes))
  for (const route of routes) mount(app, route, kernel)
  return app
}
