import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const INBOUND = /^[\w-]{8,64}$/
const PROCESS_TAG = randomBytes(9).toString('base64url')
let count = 0

/** An inbound id is taken when it is harmless, so that one id follows a request through systems. */
export function requestIdOf(request: IncomingMessage): string {
  const inbound = request.headers['x-request-id']
  return typeof inbound === 'string' && INBOUND.test(inbound) ? inbound : newRequestId()
}

export function newRequestId(): string {
  count += 1
  return `${PROCESS_TAG}-${count.toString(36)}`
}
