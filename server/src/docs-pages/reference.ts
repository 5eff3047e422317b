import type { FastifyInstance } from 'fastify'
import fastify from 'fastify'
import type { SurfaceChoice } from '../surfaces.ts'
import { page } from './page.ts'

/** Everything comes from this process: no script, font, proxy or beacon of anyone else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const DOCS_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
} as const

/** The API reference at /docs/, offline. */
export function mountReference(app: FastifyInstance, surface: SurfaceChoice): void {
  const script = startScript(surface)
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 302))
  app.get('/docs/', (_request, reply) =>
    reply
      .headers(DOCS_HEADERS)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(
        page('API reference', '<div id="reference"></div>', {
          scripts: ['/docs/no-eval.js', '/docs/reference.js', '/docs/start-reference.js'],
        }),
      ),
  )
  app.get('/docs/no-eval.js', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(NO_EVAL),
  )
  app.get('/docs/start-reference.js', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(script),
  )
  app.get('/docs/reference.js', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/javascript; charset=utf-8')
      .send(await referenceScript()),
  )
}

/** The reference asks whether it may make code from text. It gets its no here, not as a violation. */
const NO_EVAL = `const refuse = () => { throw new EvalError('not on this page') }
globalThis.Function = new Proxy(Function, { apply: refuse, construct: refuse })
`

let loaded: Promise<string> | undefined

/** Four megabytes that most processes never serve: loaded when someone opens the page. */
function referenceScript(): Promise<string> {
  loaded ??= loadReferenceScript()
  return loaded
}

async function loadReferenceScript(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const holder = fastify()
  await holder.register(plugin, { routePrefix: '/holder', configuration: { url: '/none' } })
  const answer = await holder.inject('/holder/js/scalar.js')
  await holder.close()
  if (answer.statusCode !== 200)
    throw new Error('The API reference has no script where it was expected.')
  return answer.body
}

function startScript(surface: SurfaceChoice): string {
  const operations = { title: 'Operations', url: '/api/v1/openapi.json' }
  const customers = { title: 'Customers', url: '/api/v1/my/openapi.json' }
  const sources =
    surface === 'all' ? [operations, customers] : surface === 'ops' ? [operations] : [customers]
  const configuration = {
    sources,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    persistAuth: false,
    // Nothing on the page leads away from this process.
    customCss: 'a[href*="scalar.com"] { display: none }',
  }
  return `Scalar.createApiReference('#reference', ${JSON.stringify(configuration)})\n`
}
