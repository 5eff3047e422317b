import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { Cors } from './cors.ts'
import { inboundOf } from './inbound.ts'
import { parseJsonBody } from './json-body.ts'
import type { Kernel } from './kernel.ts'
import { BODY_LIMIT_BYTES, LONGEST_PATH_PARAMETER } from './limits.ts'
import { hasEmptyParameter, unknownPath } from './not-found.ts'
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

/** The framework looks at the type before it looks whether there is a body; ours looks after. */
const ANY_TYPE = 'application/octet-stream'
const PARAMETER_TOO_LONG = 'FST_ERR_MAX_PARAM_LENGTH'

/** The framework, tamed: our parser, our errors, our order of checks. */
export function routerOf(options: RouterOptions): FastifyInstance {
  const { kernel, routes } = options
  const answer = answerError(kernel, options.onStranger)
  const problemAt = unknownPath(kernel, routes)
  const app = fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustProxy,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    frameworkErrors: (error, request, bareReply) => {
      // The router gave up before any hook ran.
      const reply = bareReply as FastifyReply
      prepare(request, reply, options.cors)
      const refusal = error.code === PARAMETER_TOO_LONG ? problemAt(request) : error
      void Promise.resolve(refusal)
        .catch((refused: unknown) => refused)
        .then((problem) => answer(problem, request, reply))
    },
  })
  app.decorateRequest('caller', null as Caller | null)
  app.decorateRequest('matched', null as Route | null)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, parseJsonBody(inboundOf(request.raw).contentType, bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  app.addHook('onRequest', (request, reply, done) => {
    prepare(request, reply, options.cors)
    if (request.is404 || hasEmptyParameter(request)) problemAt(request).then(done, done)
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    options.onAnswer(request, reply)
    done()
  })
  app.setErrorHandler(answer)
  for (const route of routes) mount(app, route, kernel)
  return app
}

/** What every answer carries, whatever becomes of the request. */
function prepare(request: FastifyRequest, reply: FastifyReply, cors: Cors): void {
  request.caller = null
  request.matched = null
  const { requestId, contentType } = inboundOf(request.raw)
  if (contentType !== undefined) request.raw.headers['content-type'] = ANY_TYPE
  reply.headers(cors.headersFor(request.raw))
  reply.header('x-request-id', requestId)
  reply.header('x-content-type-options', 'nosniff')
}
