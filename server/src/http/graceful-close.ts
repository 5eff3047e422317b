import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'

/** How long a connection that looks idle is kept for a request that may already be on its way. */
const LINGER_MS = 500
const SWEEP_MS = 100

/**
 * Security rule 18: a stop fails nothing. What arrives over a connection that exists is answered, and
 * every answer from now on closes its connection; only then are idle connections ended.
 */
export function gracefulCloseOf(server: Server): (graceMs: number) => Promise<void> {
  const running = new Set<ServerResponse>()
  let isClosing = false
  server.prependListener('request', (_request, response) => {
    if (isClosing) response.shouldKeepAlive = false
    running.add(response)
    response.once('close', () => running.delete(response))
  })

  return (graceMs) =>
    new Promise((resolve) => {
      isClosing = true
      for (const response of running) response.shouldKeepAlive = false
      let sweep: NodeJS.Timeout | undefined
      const linger = setTimeout(
        () => {
          sweep = setInterval(() => endIdle(server), SWEEP_MS)
        },
        Math.min(LINGER_MS, graceMs),
      )
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs)
      // The one of HTTP would end idle connections at once, with requests unread in them.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(linger)
        clearInterval(sweep)
        clearTimeout(deadline)
        // Only this one ends the timer that looks for late requests.
        server.close()
        resolve()
      })
    })
}

/** After a look at the sockets: on a busy machine a timer comes before what has long arrived. */
function endIdle(server: Server): void {
  setImmediate(() => server.closeIdleConnections())
}
