import { createServer, type Server } from 'node:http'
import type { Registry } from 'prom-client'

const HOST = '127.0.0.1'

/** Figures for those who watch, on loopback and never on the public listener. */
export async function listenMetrics(
  port: number,
  registry: Registry,
  takeAnyPort: boolean,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      // A figure that cannot be had must not end the process; whoever watches sees the 500.
      (error: unknown) =>
        response.writeHead(500).end(`${error instanceof Error && error.message}\n`),
    )
  })
  const bound = await bind(server, port, takeAnyPort)
  server.unref()
  return {
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function bind(server: Server, port: number, takeAnyPort: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') reject(error)
      else if (takeAnyPort) server.listen(0, HOST)
      else
        reject(
          new Error(`METRICS_PORT ${port} is in use by another program: set it to a free one.`),
        )
    })
    server.on('listening', () => resolve((server.address() as { port: number }).port))
    server.listen(port, HOST)
  })
}
