import { DEMO_SUBJECTS } from '../../deploy/keycloak/demo-users.ts'
import type { Clock } from '../../server/src/base/clock.ts'
import type { Environment } from '../../server/src/config.ts'
import { seedDemo } from '../../server/src/demo/seed-demo.ts'
import { type Client, clientOf } from '../../server/test/client.ts'
import { type Host, startHost } from '../../server/test/host.ts'
import { createContract, newContract } from '../../server/test/samples.ts'
import { accessTokenOf, type Issuer } from './tokens.ts'

const TODAY = '2026-03-02'

/** The platform in token mode against a real provider: real listener, embedded store, demo story. */
export interface Platform extends Pick<Host, 'baseUrl' | 'db' | 'logLines' | 'stranger'> {
  /** A demo user with a fresh token by the password grant. */
  as(username: string): Promise<Client>
  bearing(token: string): Client
  close(): Promise<void>
}

export interface PlatformOptions {
  readonly env?: Environment
  readonly clock?: Clock
  /** `false`: without the demo story, for what needs no rows. */
  readonly demo?: boolean
}

export async function startPlatform(
  provider: Issuer,
  { env = {}, clock, demo = true }: PlatformOptions = {},
): Promise<Platform> {
  // A host without an issuer of its own: OIDC_ISSUER alone makes it token mode.
  const host = await startHost({
    env: { OIDC_ISSUER: provider.issuer, ...env },
    ...(clock !== undefined && { clock }),
  })
  if (demo) await seedDemo(host.db, 'token', TODAY)
  const bearing = (token: string) => clientOf(host.baseUrl, { authorization: `Bearer ${token}` })
  return {
    baseUrl: host.baseUrl,
    db: host.db,
    logLines: host.logLines,
    stranger: host.stranger,
    bearing,
    as: async (username) => bearing(await accessTokenOf(provider, username)),
    close: host.close,
  }
}

/** A contract of the demo customer that waits for a decision. */
export async function preparedBy(client: Client): Promise<string> {
  return await createContract(client, newContract(DEMO_SUBJECTS.customer))
}

/** Names of the checks that keep it from being ready. */
export async function obstaclesOf(stranger: Client): Promise<string[]> {
  const { body } = await stranger.get('/readyz')
  const checks = body.checks as Readonly<Record<string, { readonly ok: boolean }>>
  return Object.keys(checks).filter((name) => checks[name]?.ok !== true)
}

export interface MovableClock {
  readonly clock: Clock
  ahead(seconds: number): void
}

/** Runs like the provider's own clock, so that new tokens are never from the future. */
export function movableClock(): MovableClock {
  let aheadMs = 0
  return {
    clock: () => Date.now() + aheadMs,
    ahead(seconds) {
      aheadMs += seconds * 1000
    },
  }
}
