import { createRequire } from 'node:module'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { etagOf, isUnchanged } from './etag.ts'

type Serializer = (value: unknown) => string

// The package is CommonJS and exports the function itself.
const compile = createRequire(import.meta.url)('fast-json-stringify') as (
  schema: object,
  options?: object,
) => Serializer

/** What the schema does not declare cannot leak: it is not written. */
export function serializerOf(schema: TSchema): Serializer {
  return compile(schema)
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Revalidation is possible only where a version is part of the body. */
export function answerOf(status: number, reply: unknown, body: string): Answer {
  const version = (reply as { version?: unknown } | null)?.version
  return {
    status,
    headers:
      typeof version === 'number'
        ? {
            etag: etagOf(version, body),
            'cache-control': 'private, no-cache',
            vary: 'Authorization',
          }
        : { 'cache-control': 'no-store', vary: 'Authorization' },
    body,
  }
}

export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const headers = withVary(answer.headers, reply.getHeader('vary'))
  const ifNoneMatch = request.headers['if-none-match']
  const etag = headers['etag']
  if (
    ifNoneMatch !== undefined &&
    etag !== undefined &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    isUnchanged(ifNoneMatch, etag)
  ) {
    return reply.code(304).headers(headers).send()
  }
  return reply
    .code(answer.status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(answer.body)
}

/** What varies by origin (CORS) still varies by it when the answer varies by caller too. */
export function withVary(headers: Answer['headers'], earlier: unknown): Answer['headers'] {
  if (typeof earlier !== 'string') return headers
  return { ...headers, vary: [earlier, headers['vary']].filter(Boolean).join(', ') }
}

/** RFC 8288: the same address with the next cursor. */
export function nextLinkOf(url: string, cursor: string): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const parameters = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
  parameters.set('cursor', cursor)
  return `<${path}?${parameters}>; rel="next"`
}
