import { type Static, type TSchema, Type } from 'typebox'
import type { Permission } from '../access/permissions.ts'
import type { Clock } from '../base/clock.ts'
import { checked, type Described, type QueryInput, type Route, type StreamType } from './route.ts'

export interface StreamInput<Params, Query> extends QueryInput<Params, Query> {
  readonly clock: Clock
  /** Aborted when the client has gone or the process stops. */
  readonly signal: AbortSignal
  /** The Last-Event-ID header. */
  readonly lastEventId: string | undefined
}

interface StreamDeclaration<P extends TSchema, Q extends TSchema> extends Described {
  readonly permission: Permission
  readonly params?: P
  readonly query?: Q
  readonly streams: StreamType
  /**
   * Pieces of text as they become known; what is refused must be refused before the first one. Statements
   * of `read` run one by one, so that a slow reader holds no connection.
   */
  readonly run: (
    input: StreamInput<Static<P>, Static<Q>>,
  ) => AsyncIterable<string> | Promise<AsyncIterable<string>>
}

/** A query whose answer is written while it is being made, in bounded memory and without a deadline. */
export function streamQuery<P extends TSchema = TSchema, Q extends TSchema = TSchema>(
  declared: StreamDeclaration<P, Q>,
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
    reply: Type.String(),
    ...declared,
    params: declared.params,
    query: declared.query,
    errors: declared.errors ?? [],
  })
}
