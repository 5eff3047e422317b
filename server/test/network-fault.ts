import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A piece of network between program and database that misbehaves on demand. */
export interface NetworkFault {
  /** The address of the database with this network before it. */
  urlOf(databaseUrl: string): string
  /** From now on nothing passes, and nobody is told. */
  goSilent(): void
  /** Passes what contains the text on to the database, then cuts before any answer. */
  cutAfterSending(text: string): void
  stop(): Promise<void>
}

export async function networkFault(databaseUrl: string): Promise<NetworkFault> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let silent = false
  let cutAfter: string | undefined

  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    for (const socket of [client, database]) {
      sockets.add(socket)
      // The other side is ended by 'close', which follows every error.
      socket.on('error', () => undefined)
    }
    client.on('close', () => database.destroy())
    database.on('close', () => client.destroy())
    database.on('data', (bytes) => silent || client.write(bytes))
    client.on('data', (bytes) => {
      if (silent) return
      if (cutAfter !== undefined && bytes.includes(cutAfter)) {
        database.end(bytes)
        client.destroy()
      } else database.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port could be had.')

  return {
    urlOf: (url) => Object.assign(new URL(url), { port: String(address.port) }).href,
    goSilent() {
      silent = true
    },
    cutAfterSending(text) {
      cutAfter = text
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
