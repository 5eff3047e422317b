import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../../base/loopback.ts'

const MAPPED_IPV4 = /^::ffff:/i
const THIS_MACHINE = 'loopback'

/**
 * Where a request came from. The provider stands behind no proxy, so headers have no say. All of
 * loopback is one address: whoever is on this machine can choose among millions.
 */
export function addressOf(request: IncomingMessage): string {
  const address = (request.socket.remoteAddress ?? '').replace(MAPPED_IPV4, '')
  return isLoopbackHost(address) ? THIS_MACHINE : address
}
