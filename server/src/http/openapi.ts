import type { TSchema } from 'typebox'
import { accessErrors } from '../access/errors.ts'
import { codesOf } from '../access/permissions.ts'
import type { ErrorKind } from '../base/errors.ts'
import { storageErrors } from '../storage/errors.ts'
import { httpErrors } from './errors.ts'
import { querySchemaOf } from './input.ts'
import { guardTextOf, tagOf } from './openapi-groups.ts'
import { headersOf } from './openapi-headers.ts'
import { PROBLEM_TYPE } from './problem.ts'
import { API_PREFIX, IDENTITY_ONLY, type Route, type Surface } from './route.ts'

type Json = Readonly<Record<string, unknown>>

/** Every request can end so, whatever the route. */
const ALWAYS: readonly ErrorKind[] = [
  accessErrors['MSG-G-12'],
  accessErrors.AUTHORIZATION_MALFORMED,
  httpErrors.REQUEST_MALFORMED,
  httpErrors.VALIDATION_FAILED,
  accessErrors.UNAUTHENTICATED,
  accessErrors.TOKEN_INVALID,
  accessErrors.TOKEN_EXPIRED,
  accessErrors.PARTY_REQUIRED,
  accessErrors.PARTNER_REQUIRED,
  httpErrors.NOT_ACCEPTABLE,
  httpErrors.REQUEST_TIMEOUT,
  httpErrors.PAYLOAD_TOO_LARGE,
  httpErrors.HEADERS_TOO_LARGE,
  accessErrors.DEVELOPER_MODE_LOCAL_ONLY,
  httpErrors.RATE_LIMITED,
  httpErrors.INTERNAL_ERROR,
  storageErrors.UNAVAILABLE,
  accessErrors.IDENTITY_PROVIDER_UNAVAILABLE,
]

const COMMAND: readonly ErrorKind[] = [
  accessErrors.IMPERSONATION_READ_ONLY,
  httpErrors.IDEMPOTENCY_IN_PROGRESS,
  httpErrors.UNSUPPORTED_MEDIA_TYPE,
  httpErrors.RULE_VIOLATED,
  httpErrors.IDEMPOTENCY_KEY_REUSED,
]

/** Every error that a route can answer with: the pipeline's own and the declared ones. */
export function errorsOf(route: Route): readonly ErrorKind[] {
  const errors = [...ALWAYS, ...route.errors]
  if (route.permission !== IDENTITY_ONLY) errors.push(accessErrors.PERMISSION_MISSING)
  if (route.path.includes(':')) errors.push(httpErrors.NOT_FOUND)
  if (route.kind === 'command') errors.push(...COMMAND)
  if (route.action) errors.push(httpErrors.INVALID_STATE)
  if (route.load) errors.push(httpErrors.VERSION_CONFLICT)
  if (route.versionRequired) errors.push(httpErrors.VERSION_REQUIRED)
  if (route.fourEyes) {
    errors.push(accessErrors.FOUR_EYES_SAME_USER, accessErrors.HUMAN_APPROVER_REQUIRED)
  }
  return [...new Set(errors)].sort((a, b) => a.status - b.status)
}

export interface DocumentOptions {
  readonly surface: Surface
  readonly routes: readonly Route[]
  readonly version: string
  readonly serverUrl: string
}

export function openapiOf({ surface, routes, version, serverUrl }: DocumentOptions): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const shown = routes.filter((candidate) => candidate.surface === surface)
  for (const route of shown) {
    const path = API_PREFIX + route.path.replace(/:([^/]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: surface === 'operations' ? 'TFS operations' : 'TFS customers',
      version,
      description: DESCRIPTIONS[surface],
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(shown.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Problem: PROBLEM_SCHEMA },
    },
  }
}

const DESCRIPTIONS: Readonly<Record<Surface, string>> = {
  operations: 'Contracts, parties and everything that operations and partners do with them.',
  customer: 'What a customer reads and asks for about the own contracts.',
}

function operationOf(route: Route): Json {
  return {
    operationId: route.id,
    summary: route.summary,
    description: guardTextOf(route),
    tags: [tagOf(route)],
    'x-permission': route.permission === IDENTITY_ONLY ? null : codesOf(route.permission),
    'x-four-eyes': route.fourEyes,
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(querySchemaOf(route), 'query'),
      ...headersOf(route),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.bodyOptional,
        content: Object.fromEntries(
          mediaTypesOf(route).map((type) => [type, { schema: route.body }]),
        ),
      },
    }),
    responses: {
      [route.status]: {
        description: 'Done.',
        content: { [route.streams ?? 'application/json']: { schema: successSchemaOf(route) } },
      },
      ...(route.kind === 'command' && route.status !== 200 && { 200: DRY_RUN_RESPONSE }),
      ...(isRevalidated(route) && { 304: { description: 'Not modified.' } }),
      ...problemsOf(route),
    },
  }
}

function isRevalidated({ kind, streams }: Route): boolean {
  return kind === 'query' && streams === undefined
}

function mediaTypesOf({ method }: Route): string[] {
  return method === 'PATCH'
    ? ['application/merge-patch+json', 'application/json']
    : ['application/json']
}

const DRY_RUN_SCHEMA = {
  type: 'object',
  description: 'With dryRun=true: what would have happened.',
  properties: {
    dryRun: { const: true },
    result: {},
    diff: {
      type: 'array',
      items: { type: 'object', properties: { pointer: { type: 'string' }, before: {}, after: {} } },
    },
    warnings: { type: 'array', items: { type: 'object' } },
  },
  required: ['dryRun', 'result', 'diff', 'warnings'],
}

const DRY_RUN_RESPONSE = {
  description: 'A dry run.',
  content: { 'application/json': { schema: DRY_RUN_SCHEMA } },
}

function successSchemaOf(route: Route): unknown {
  if (route.kind === 'command' && route.status === 200) {
    return { anyOf: [route.reply, DRY_RUN_SCHEMA] }
  }
  return route.reply
}

function parametersOf(schema: TSchema | undefined, where: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, member]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: member,
  }))
}

/** One answer per status; the codes that it can carry are spelled out. */
function problemsOf(route: Route): Record<string, Json> {
  const byStatus = Map.groupBy(errorsOf(route), (error) => error.status)
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      String(status),
      {
        description: errors.map(({ code, title }) => `\`${code}\` ${title}`).join('\n\n'),
        content: {
          [PROBLEM_TYPE]: {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { properties: { code: { enum: errors.map(({ code }) => code) } } },
              ],
            },
          },
        },
      },
    ]),
  )
}

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'detail'],
        properties: {
          pointer: { type: 'string' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
      },
    },
  },
}
