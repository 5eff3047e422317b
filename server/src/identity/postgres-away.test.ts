import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPostgres, type TestPostgres } from '../../test/postgres.ts'
import { appRoleOf, ensureAppRole } from '../storage/app-role.ts'
import { openPostgres, openPostgresOwner } from '../storage/postgres.ts'
import type { Db } from '../storage/tx.ts'
import { IDENTITY_SCHEMA, migrateIdentity } from './migrate-identity.ts'
import { PATHS } from './realm.ts'
import { seedDemoUsers } from './seed-demo-users.ts'
import { type Identity, startIdentity } from './start-identity.ts'
import { CATALOGUE, DEMO_LINKS, freePort } from './test/realm.ts'

let postgres: TestPostgres
let db: Db
let identity: Identity
let keyDir: string

beforeAll(async () => {
  postgres = await startPostgres()
  const { adminUrl, appUrl } = await postgres.createDatabase('identity')
  const owner = openPostgresOwner({ url: adminUrl, schema: IDENTITY_SCHEMA })
  await ensureAppRole(owner, appUrl)
  await migrateIdentity(owner, appRoleOf(appUrl).role)
  await owner.close()
  db = openPostgres({ url: appUrl, schema: IDENTITY_SCHEMA })
  await seedDemoUsers(db, DEMO_LINKS, CATALOGUE)
  keyDir = await mkdtemp(join(tmpdir(), 'tfs-identity-keys-'))
  identity = await startIdentity({
    ...{ db, port: await freePort(), keyDir, passwordGrant: true, demo: true, baseUrls: [] },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
})
afterAll(async () => {
  await identity.close()
  await db.close()
  await postgres.stop()
  await rm(keyDir, { recursive: true, force: true })
})

async function statusOfGrant(): Promise<number> {
  const fields = { grant_type: 'password', client_id: 'tfs-ops' }
  const response = await fetch(`${identity.issuer}${PATHS.token}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, username: 'chief', password: 'chief' }),
  })
  await response.text()
  return response.status
}

test('a PostgreSQL that crashes makes 503s while keys are still served, and comes back by itself', async () => {
  expect(await statusOfGrant()).toBe(200)
  await postgres.kill('SIGKILL')
  expect(await statusOfGrant()).toBe(503)
  expect((await fetch(`${identity.issuer}${PATHS.jwks}`)).status).toBe(200)
  await postgres.restart()
  await expect.poll(statusOfGrant, { timeout: 45_000, interval: 250 }).toBe(200)
})
