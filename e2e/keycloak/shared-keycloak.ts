import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { RealmKind } from '../../deploy/keycloak/realm-settings.ts'
import { type Lender, lenderOf } from './lender.ts'
import { foreignServer } from './settings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for the Keycloak of this run, and for its being stopped and started. */
    keycloakLender: string
  }
}

/** The process that outlives every test file owns the Keycloak; files ask it over loopback. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (foreignServer() !== undefined) return undefined
  const lender = lenderOf()
  const server = createServer((request, response) => {
    answerOf(lender, request).then(
      (answer) => response.end(JSON.stringify(answer ?? {})),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  project.provide('keycloakLender', `http://127.0.0.1:${port}`)
  return async () => {
    server.close()
    await lender.close()
  }
}

async function answerOf(lender: Lender, { url = '' }: IncomingMessage): Promise<unknown> {
  const [, verb, realm, state] = url.split('/')
  if (verb === 'lend') return await lender.lend(realm as RealmKind, state === 'fresh')
  if (verb === 'stop') return await lender.stop()
  if (verb === 'start') return await lender.start()
  throw new Error(`Nobody knows how to ${verb}.`)
}
