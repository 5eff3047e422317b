import type { IncomingMessage } from 'node:http'
import { requestIdOf } from './request-id.ts'

/** What the raw header lines say; Node's own view hides doubled and surplus lines. */
export interface Inbound {
  readonly requestId: string
  readonly authorizationLines: number
  readonly hostLines: number
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
  const inbound = { requestId: requestIdOf(request), authorizationLines, hostLines }
  ;(request as Marked)[INBOUND] = inbound
  return inbound
}

/** Marks a request that came around the front, as injected ones do in tests. */
export function inboundOf(request: IncomingMessage): Inbound {
  return (request as Marked)[INBOUND] ?? markInbound(request)
}
