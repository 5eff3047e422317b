import type { IncomingMessage, ServerResponse } from 'node:http'
import { bearerTokenOf } from './access/authorization.ts'
import { type Bearer, createBearer } from './access/bearer/bearer.ts'
import type { Caller } from './access/caller.ts'
import { developerCallerOf } from './access/dev-headers.ts'
import { calendarOf } from './base/calendar.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Config, Oidc } from './config.ts'
import { corsOf } from './http/cors.ts'
import { frontOf } from './http/front.ts'
import { inboundOf } from './http/inbound.ts'
import type { Kernel, Log } from './http/kernel.ts'
import { methodsByPath } from './http/not-found.ts'
import { rateLimiterOf } from './http/rate-limit.ts'
import { routerOf } from './http/router.ts'
import type { SocketRefusal } from './http/socket-refusals.ts'
import { mountOutside } from './outside.ts'
import type { Db } from './storage/tx.ts'
import { isKnownPermission, routesOf } from './surfaces.ts'
import { type Metrics, metricsOf } from './watching/metrics.ts'
import { type Overload, overloaded } from './watching/overload.ts'
import { readinessProbeOf } from './watching/readiness.ts'
import { requestLogOf } from './watching/request-log.ts'
import { securityLogOf } from './watching/security-log.ts'

export interface AppOptions {
  readonly config: Config
  readonly db: Db
  readonly pendingMigrations: () => Promise<readonly string[]>
  readonly log: Log
  readonly version: string
  readonly clock?: Clock
  /** What goes on beside the requests wants to know of them. */
  readonly noteAccess?: Kernel['noteAccess']
  readonly noteSeen?: Kernel['noteSeen']
  readonly countRefusal?: (code: string) => void
  /** Without it every request is taken, however late it will be answered. */
  readonly overload?: Pick<Overload, 'isOverloaded'>
}

export interface App {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  /** What the listener refuses by itself is a security event too. */
  readonly onSocketRefusal: (refusal: SocketRefusal) => void
  readonly metrics: Metrics
  /** Fetches the provider's keys, and says nothing of their being there. */
  start(): Promise<void>
  /** From now on readiness is false and connections are not kept. */
  drain(): void
  close(): Promise<void>
  /** Where the API is reached; known once the listener has its port. */
  publish(url: string): void
}

/** The table of contents: what the program is made of, in the order a request meets it. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, db, log, clock = systemClock } = options
  const bearer = config.oidc && config.mode === 'token' ? bearerOf(config.oidc, options) : undefined
  const routes = routesOf(config.surface)
  const cors = corsOf(config.corsOrigins, config.mode === 'developer')
  const metrics = metricsOf({ db, bearerState: bearer && (() => bearer.state()) })
  const countRefusal = (code: string): void => {
    metrics.refused(code)
    options.countRefusal?.(code)
  }
  const securityLog = securityLogOf(log, countRefusal, clock)
  const logRequest = requestLogOf(log)
  const stopping = new AbortController()
  let publicUrl = config.publicUrl ?? ''

  const kernel: Kernel = {
    db,
    clock,
    calendar: calendarOf(config.timeZone, clock),
    identify: bearer ? identifyByToken(bearer) : identifyByHeaders,
    limitReads: rateLimiterOf(config.rateLimits.reads, clock),
    limitWrites: rateLimiterOf(config.rateLimits.writes, clock),
    log,
    stopping: stopping.signal,
    ...(options.noteAccess && { noteAccess: options.noteAccess }),
    ...(options.noteSeen && { noteSeen: options.noteSeen }),
  }
  const router = routerOf({
    kernel,
    routes,
    cors,
    trustProxy: trustedProxies(config.trustProxy),
    onAnswer: (request, reply) => {
      metrics.answered(request, reply)
      logRequest(request, reply)
    },
    onStranger: securityLog,
  })
  mountOutside(router, {
    surface: config.surface,
    version: options.version,
    serverUrl: () => publicUrl,
    readiness: readinessProbeOf({
      db,
      pendingMigrations: options.pendingMigrations,
      bearerState: bearer && (() => bearer.state()),
      isStopping: () => stopping.signal.aborted,
    }),
  })
  await router.ready()

  return {
    metrics,
    onSocketRefusal: (refusal) => securityLog({ method: undefined, url: undefined, ...refusal }),
    handle: frontOf({
      developerMode: config.mode === 'developer',
      cors,
      methodsOf: methodsByPath(routes),
      isStopping: () => stopping.signal.aborted,
      overload: () => (options.overload?.isOverloaded() ? overloaded() : undefined),
      onRefusal: (problem, request, requestId) =>
        securityLog({
          problem,
          requestId,
          method: request.method,
          url: request.url,
          remoteAddress: request.socket.remoteAddress,
        }),
      next: (request, response) => router.routing(request, response),
    }),
    start: async () => bearer?.start(),
    drain: () => stopping.abort(),
    close: async () => {
      bearer?.stop()
      await router.close()
    },
    publish: (url) => {
      publicUrl = config.publicUrl ?? url
    },
  }
}

/** The embedded provider is one realm whatever its port (platform contract, section 2). */
const EMBEDDED_REALM = 'tfs:embedded'

function bearerOf(oidc: Oidc, { config, log, clock = systemClock }: AppOptions): Bearer {
  return createBearer({
    ...oidc,
    realm: config.embeddedProvider ? EMBEDDED_REALM : undefined,
    isKnown: isKnownPermission,
    clock,
    log,
  })
}

function identifyByToken(bearer: Bearer) {
  return (request: IncomingMessage): Caller | Promise<Caller> => {
    const { authorizationLines } = inboundOf(request)
    const { authorization } = request.headers
    return bearer.identify(bearerTokenOf(authorization, authorizationLines, request.url ?? ''))
  }
}

function identifyByHeaders(request: IncomingMessage): Caller {
  return developerCallerOf(request.headers, request.rawHeaders)
}

function trustedProxies(trust: Config['trustProxy']) {
  if (typeof trust === 'number') return (_address: string, hop: number) => hop < trust
  return trust === false ? false : [...trust]
}
