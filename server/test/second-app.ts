import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { listen } from '../src/http/listener.ts'
import { type Client, clientOf } from './client.ts'
import type { Host } from './host.ts'
import { startTestIssuer } from './issuer.ts'

/** The same store served once more, behind another issuer: what a change of provider leaves behind. */
export interface SecondApp {
  readonly issuer: string
  as(claims: Readonly<Record<string, unknown>>, ...roles: readonly string[]): Client
  close(): Promise<void>
}

export async function serveAgain(host: Host, env: Record<string, string> = {}): Promise<SecondApp> {
  const issuer = await startTestIssuer()
  const config = readConfig({ PORT: '0', OIDC_ISSUER: issuer.issuer, ...env }, 'serve')
  const silent = { debug() {}, info() {}, warn() {}, error() {} }
  const app = await createApp({
    config,
    db: host.db,
    pendingMigrations: async () => [],
    log: silent,
    version: '0.0.0-test',
  })
  const listener = await listen(['127.0.0.1'], 0, app.handle)
  const baseUrl = `http://127.0.0.1:${listener.port}`
  app.publish(baseUrl)
  await app.start()
  return {
    issuer: issuer.issuer,
    as: (claims, ...roles) =>
      clientOf(baseUrl, {
        authorization: `Bearer ${issuer.token({ realm_access: { roles }, ...claims })}`,
      }),
    async close() {
      app.drain()
      await listener.close(1_000)
      await app.close()
      await issuer.stop()
    },
  }
}
