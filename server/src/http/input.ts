import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { httpErrors } from './errors.ts'
import type { Route, StreamType } from './route.ts'
import { type Validator, validatorOf } from './validate.ts'

export interface Input {
  readonly params: unknown
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false })
const DRY_RUN = Type.Object(
  { dryRun: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
const JSON_TYPE = 'application/json'
/** Which Accept headers an answer of a type satisfies. */
const ACCEPTED: Readonly<Record<StreamType | typeof JSON_TYPE, RegExp>> = {
  [JSON_TYPE]: /(?:^|,)\s*(?:\*\/\*|application\/(?:\*|json|problem\+json))\s*(?:[;,]|$)/i,
  'application/jsonl': /(?:^|,)\s*(?:\*\/\*|application\/(?:\*|jsonl))\s*(?:[;,]|$)/i,
  'text/event-stream': /(?:^|,)\s*(?:\*\/\*|text\/(?:\*|event-stream))\s*(?:[;,]|$)/i,
}

/** The query schema as the wire sees it: every command can be tried without being done. */
export function querySchemaOf(route: Route): TSchema {
  if (route.kind === 'query') return route.query ?? NO_PARAMETERS
  if (route.query === undefined) return DRY_RUN
  return Type.Object(
    { ...(route.query as { properties?: object }).properties, ...DRY_RUN.properties },
    { additionalProperties: false },
  )
}

/** Order of checks 7: parameters and body. */
export function inputReaderOf(route: Route): (request: FastifyRequest) => Input {
  const checkParams: Validator | undefined = route.params && validatorOf(route.params, '/path')
  const checkQuery = validatorOf(querySchemaOf(route), '/query')
  const checkBody: Validator | undefined = route.body && validatorOf(route.body, '')

  return (request) => {
    requireAcceptable(request.headers.accept, route.streams ?? JSON_TYPE)
    requireStorable(request)
    checkParams?.(request.params)
    checkQuery(request.query)
    checkBodyOf(request)
    return {
      params: request.params,
      query: request.query as Readonly<Record<string, unknown>>,
      body: request.body,
    }
  }

  function checkBodyOf(request: FastifyRequest): void {
    if (route.kind === 'query') return
    if (request.body === undefined) {
      if (!route.bodyOptional) throw bodyFault('REQUIRED', 'This operation needs a JSON body.')
    } else if (checkBody === undefined) {
      throw bodyFault('UNKNOWN_FIELD', 'This operation takes no body.')
    } else {
      checkBody(request.body)
    }
  }
}

/** No id and no value of ours contains NUL, which a database cannot even look for. */
function requireStorable(request: FastifyRequest): void {
  if (!request.url.includes('%00') && !request.url.includes('\0')) return
  if (Object.values(request.params as object).some((value) => String(value).includes('\0'))) {
    throw httpErrors.NOT_FOUND('There is no such item.')
  }
  const detail = 'A parameter contains a NUL character.'
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: '/query', code: 'WRONG_FORMAT', detail }],
  })
}

function bodyFault(code: string, detail: string) {
  return httpErrors.VALIDATION_FAILED(detail, { errors: [{ pointer: '', code, detail }] })
}

function requireAcceptable(accept: string | undefined, type: keyof typeof ACCEPTED): void {
  if (accept === undefined || accept.trim() === '' || ACCEPTED[type].test(accept)) return
  throw httpErrors.NOT_ACCEPTABLE(`This operation answers with ${type}.`)
}
