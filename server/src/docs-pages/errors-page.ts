import type { FastifyInstance } from 'fastify'
import type { ErrorKind } from '../base/errors.ts'
import { escaped, PAGES_CSS, PAGES_STYLE, page } from './page.ts'
import { DOCS_HEADERS } from './reference.ts'

/** Where the `type` of every problem points. */
export function mountErrorsPage(app: FastifyInstance, errors: readonly ErrorKind[]): void {
  const html = page(
    'Errors',
    `<main><h1>Errors</h1><p>Every answer from status 400 on is <code>application/problem+json</code> with one of these codes. <a href="/docs/">API reference</a></p>
${errors.map(articleOf).join('\n')}</main>`,
    { style: PAGES_STYLE },
  )
  app.get('/docs/errors', (_request, reply) =>
    reply
      .headers(DOCS_HEADERS)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html),
  )
  app.get(PAGES_STYLE, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/css; charset=utf-8')
      .send(PAGES_CSS),
  )
}

function articleOf({ code, status, title, when }: ErrorKind): string {
  return `<article id="${escaped(code)}"><h2>${escaped(code)} <span class="status">${status}</span></h2>
<p>${escaped(title)}</p><p class="status">${withCode(escaped(when))}</p></article>`
}

/** Names of members stand in backticks in the catalogue. */
function withCode(html: string): string {
  return html.replace(/`([^`]+)`/g, '<code>$1</code>')
}
