import type { FastifyInstance } from 'fastify'
import { mountErrorsPage } from './docs-pages/errors-page.ts'
import { mountReference } from './docs-pages/reference.ts'
import { openapiOf } from './http/openapi.ts'
import { API_PREFIX, type Surface } from './http/route.ts'
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
    const readiness = await options.readiness()
    return reply
      .code(readiness.ready ? 200 : 503)
      .headers({ 'cache-control': 'no-store', ...(!readiness.ready && { 'retry-after': '5' }) })
      .send(readiness)
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
  let text: string | undefined
  app.get(path, (_request, reply) => {
    text ??= JSON.stringify(
      openapiOf({ surface, routes: allRoutes, version, serverUrl: serverUrl() }),
    )
    return reply
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(text)
  })
}
