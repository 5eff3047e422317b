import type { Static, TSchema } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { codesOf, type Permission, type PermissionCode } from '../access/permissions.ts'
import type { Calendar } from '../base/calendar.ts'
import type { ErrorKind, Problem } from '../base/errors.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { Action } from './action.ts'
import type { PageRequest } from './paging.ts'

export const API_PREFIX = '/api/v1'

export type Surface = 'operations' | 'customer'

/** Describes the API itself and holds no business data; a test pins who may say this. */
export const IDENTITY_ONLY = 'identity only'

/** What a command did, for the answer, the audit trail and the outbox. */
export interface Outcome<Reply> {
  readonly reply: Reply
  /** Null only where every effect is told by the commands that it ran. */
  readonly event: ChangeFact | null
  /** What else came of it, e.g. the item that an approved change moved. */
  readonly also?: readonly ChangeFact[]
  readonly location?: string
  /** Where it is not the declared one: 202 for what only waits. */
  readonly status?: 200 | 202
  readonly warnings?: readonly Warning[]
}

export interface ChangeFact {
  /** Past tense: `contract.approved`. */
  readonly name: `${string}.${string}`
  readonly item: { readonly id: string; readonly version: number }
  readonly before?: unknown
  readonly after?: unknown
  /** Pointers whose values belong to a person: the audit entry carries only their salted hashes. */
  readonly personal?: { readonly partyId: string; readonly pointers: readonly string[] }
}

export interface Warning {
  readonly code: string
  readonly detail: string
}

export interface QueryInput<Params, Query> {
  readonly read: Read
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly page: PageRequest
  readonly calendar: Calendar
}

export interface CommandInput<Params, Query, Body, Subject> {
  readonly tx: Tx
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly subject: Subject
  readonly calendar: Calendar
  /** Runs another command in the same transaction, under its own guards and with its own record. */
  readonly runOther: (other: OtherCommand) => Promise<void>
  /** Writes down that one of several was refused, while the answer as a whole is none. */
  readonly noteRefusal: (problem: Problem, refused: RefusedItem) => Promise<void>
  /** The version in If-Match, where one was sent. */
  readonly versionStated: number | undefined
}

export interface OtherCommand {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  /** The version that was seen; the command refuses any other. */
  readonly version: number
}

export interface RefusedItem {
  /** Of the operation that refused it. */
  readonly action: string
  readonly item: { readonly kind: string; readonly id: string }
}

export interface Described {
  /** Also the operationId and the name of the file. */
  readonly id: string
  readonly surface: Surface
  readonly path: `/${string}`
  readonly summary: string
  /** Spans all parties and partners, so it refuses callers that are linked to one. */
  readonly unscopedOnly?: boolean
  /** Beyond those that the pipeline itself can answer. */
  readonly errors?: readonly ErrorKind[]
}

interface QueryDeclaration<P extends TSchema, Q extends TSchema, R extends TSchema>
  extends Described {
  readonly permission: Permission | typeof IDENTITY_ONLY
  readonly params?: P
  readonly query?: Q
  readonly reply: R
  /** Whose details the answer shows, for the access log. */
  readonly accessed?: (reply: Static<R>) => Accessed | undefined
  readonly run: (input: QueryInput<Static<P>, Static<Q>>) => Promise<Static<R>> | Static<R>
}

/** One item whose details someone saw, and the party that they are about. */
export interface Accessed {
  readonly kind: string
  readonly id: string
  readonly partyId: string
}

/** What an answer is that ends later than it begins. */
export type StreamType = 'application/jsonl' | 'text/event-stream'

type Guarded<Subject> =
  | { readonly permission: Permission; readonly action?: never }
  | { readonly action: Action<Subject>; readonly permission?: never }

type CommandDeclaration<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  Subject,
> = Described &
  Guarded<Subject> & {
    readonly method: 'POST' | 'PATCH'
    readonly params?: P
    readonly query?: Q
    readonly body?: B
    readonly bodyOptional?: boolean
    readonly reply: R
    readonly status?: 200 | 201 | 202
    /** PATCH without If-Match is 428. */
    readonly versionRequired?: boolean
    /** Brings the item, locked; throws NOT_FOUND. */
    readonly load?: (tx: Tx, params: Static<P>) => Promise<Subject>
    readonly run: (
      input: CommandInput<Static<P>, Static<Q>, Static<B>, Subject>,
    ) => Promise<Outcome<Static<R>>>
  }

/** A route with its types erased: what surfaces, OpenAPI, docs and tests walk over. */
export interface Route {
  readonly kind: 'query' | 'command'
  readonly id: string
  readonly surface: Surface
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: `/${string}`
  readonly summary: string
  readonly permission: Permission | typeof IDENTITY_ONLY
  readonly fourEyes: boolean
  readonly errors: readonly ErrorKind[]
  readonly params: TSchema | undefined
  readonly query: TSchema | undefined
  readonly body: TSchema | undefined
  readonly bodyOptional: boolean
  readonly reply: TSchema
  readonly status: number
  readonly versionRequired: boolean
  readonly unscopedOnly?: boolean
  readonly streams?: StreamType
  // biome-ignore lint/suspicious/noExplicitAny: a list of routes cannot keep each one's own reply type
  readonly accessed?: (reply: any) => Accessed | undefined
  // biome-ignore lint/suspicious/noExplicitAny: likewise the subject
  readonly action: Action<any> | undefined
  // biome-ignore lint/suspicious/noExplicitAny: likewise the parameters
  readonly load: ((tx: Tx, params: any) => Promise<unknown>) | undefined
  // biome-ignore lint/suspicious/noExplicitAny: likewise the input
  readonly run: (input: any) => unknown
}

export function query<R extends TSchema, P extends TSchema = TSchema, Q extends TSchema = TSchema>(
  declared: QueryDeclaration<P, Q, R>,
): Route {
  return checked({
    kind: 'query',
    method: 'GET',
    fourEyes: false,
    body: undefined,
    bodyOptional: true,
    status: 200,
    versionRequired: false,
    action: undefined,
    load: undefined,
    ...declared,
    params: declared.params,
    query: declared.query,
    errors: declared.errors ?? [],
  })
}

export function command<
  R extends TSchema,
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  Subject = undefined,
>(declared: CommandDeclaration<P, Q, B, R, Subject>): Route {
  return checked({
    kind: 'command',
    status: 200,
    bodyOptional: declared.body === undefined,
    versionRequired: false,
    ...declared,
    permission: (declared.action?.permission ?? declared.permission) as Permission,
    fourEyes: declared.action?.fourEyes ?? false,
    action: declared.action,
    load: declared.load,
    params: declared.params,
    query: declared.query,
    body: declared.body,
    errors: declared.errors ?? [],
  })
}

/** What types cannot hold, the start does: a route never exists without its permission. */
export function checked(route: Route): Route {
  const codes: readonly (PermissionCode | typeof IDENTITY_ONLY)[] =
    route.permission === IDENTITY_ONLY ? [IDENTITY_ONLY] : codesOf(route.permission ?? [''])
  if (codes.length === 0 || codes.some((code) => !code)) {
    throw new TypeError(`Route ${route.id} declares no permission.`)
  }
  if (route.path.startsWith('/my/') !== (route.surface === 'customer')) {
    throw new TypeError(`Route ${route.id}: the path ${route.path} is not of its surface.`)
  }
  if (route.action !== undefined && route.load === undefined) {
    throw new TypeError(`Route ${route.id} has an action but loads no item to check it on.`)
  }
  return Object.freeze(route)
}
