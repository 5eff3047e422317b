import type { IncomingMessage } from 'node:http'

/** Where a request came from. The provider stands behind no proxy, so headers have no say. */
export function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? ''
}
