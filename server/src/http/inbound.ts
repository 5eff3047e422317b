import type { IncomingMessage } from 'node:http'
import { requestIdOf } from './request-id.ts'

/** What the raw header lines say; Node's own view hides doubled and surplus lines. */
export interface Inbound {
  readonly requestId: string
  readonly authorizationLines: number
  readonly hostLines: number
  /** As sent: the framework is told that every body is of one type, since our parser reads them all. */
  readonly contentType: string | undefined
}

const INBOUND = Symbol('inbound')

interface Marked extends IncomingMessage {
  [INBOUND]?: Inbound
}

export function markInbound(request: IncomingMessage): Inbound {
  const raw = request.rawHeaders
  let authorizationLines = 0
  let hostLines = 0
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hostLines += 1
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizationLines += 1
  }
  const inbound = {
    requestId: requestIdOf(request),
    authorizationLines,
    hostLines,
    contentType: request.headers['content-type'],
  }
  ;(request as Marked)[INBOUND] = inbound
  return inbound
}

/** Marks a request that came around the front, as injected ones do in tests. */
export function inboundOf(request: IncomingMessage): Inbound {
  return (request as Marked)[INBOUND] ?? markInbound(request)
}
