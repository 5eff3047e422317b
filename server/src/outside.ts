import type { FastifyInstance } from 'fastify'
import type { Problem } from './base/errors.ts'
import { mountErrorsPage } from './docs-pages/errors-page.ts'
import { mountReference } from './docs-pages/reference.ts'
import { openapiOf } from './http/openapi.ts'
import { API_PREFIX, type Surface } from './http/route.ts'
import { storageErrors } from './storage/errors.ts'
import { allRoutes, errorCatalogue, type SurfaceChoice } from './surfaces.ts'
import type { Readiness } from './watching/readiness.ts'

export interface OutsideOptions {
  readonly surface: SurfaceChoice
  readonly version: string
  readonly serverUrl: () => string
  readonly readiness: () => Promise<Readiness>
}

/** What describes or watches the platform and holds no business data: open to everyone. */
export function mountOutside(app: FastifyInstance, options: OutsideOptions): void {
  app.get('/healthz', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (_request, reply) => {
    const { ready, checks } = await options.readiness()
    if (!ready) throw notReady(checks)
    return reply.header('cache-control', 'no-store').send({ ready, checks })
  })
  app.get('/', (_request, reply) => reply.redirect('/docs/', 302))
  for (const [surface, path] of DOCUMENTS) {
    if (options.surface === 'all' || surface === wanted(options.surface)) {
      mountDocument(app, surface, path, options)
    }
  }
  mountReference(app, options.surface)
  mountErrorsPage(app, errorCatalogue)
}

/** A problem like every other answer from 400 on, with the same members as when all is well. */
function notReady(checks: Readiness['checks']): Problem {
  const failed = Object.keys(checks).filter((name) => !checks[name]?.ok)
  return storageErrors.UNAVAILABLE(
    `Not ready: ${failed.join(', ')}.`,
    { ready: false, checks, retryAfter: RETRY_AFTER_SECONDS },
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  )
}

const RETRY_AFTER_SECONDS = 5

const DOCUMENTS: readonly (readonly [Surface, string])[] = [
  ['operations', `${API_PREFIX}/openapi.json`],
  ['customer', `${API_PREFIX}/my/openapi.json`],
]

function wanted(surface: SurfaceChoice): Surface {
  return surface === 'ops' ? 'operations' : 'customer'
}

function mountDocument(
  app: FastifyInstance,
  surface: Surface,
  path: string,
  { version, serverUrl }: OutsideOptions,
): void {
  const texts = new Map<string, string>()
  const textAt = (url: string): string => {
    const made = JSON.stringify(openapiOf({ surface, routes: allRoutes, version, serverUrl: url }))
    texts.set(url, made)
    return made
  }
  app.get(path, (_request, reply) => {
    // The address is known only once the listener has its port.
    const url = serverUrl()
    const text = texts.get(url) ?? textAt(url)
    return reply
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(text)
  })
}
