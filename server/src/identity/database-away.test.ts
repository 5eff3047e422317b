import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, type TestStore } from '../../test/stores.ts'
import { unavailable } from '../storage/failures.ts'
import type { Db } from '../storage/tx.ts'
import { IDENTITY_MIGRATIONS } from './migrate-identity.ts'
import { PATHS } from './realm.ts'
import { seedDemoUsers } from './seed-demo-users.ts'
import { type Identity, startIdentity } from './start-identity.ts'
import { CATALOGUE, DEMO_LINKS, freePort } from './test/realm.ts'

let store: TestStore
let identity: Identity
let keyDir: string
let isAway = false

/** The same database, out of reach while `isAway`. */
function leavable(db: Db): Db {
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    isAway ? Promise.reject(unavailable('The connection to the database is lost.')) : work()
  return {
    ...db,
    read: (scope, work) => guarded(() => db.read(scope, work)),
    snapshot: (scope, work) => guarded(() => db.snapshot(scope, work)),
    write: (scope, work) => guarded(() => db.write(scope, work)),
  }
}

beforeAll(async () => {
  store = await openStore('embedded', { migrations: IDENTITY_MIGRATIONS })
  await seedDemoUsers(store.db, DEMO_LINKS, CATALOGUE)
  keyDir = await mkdtemp(join(tmpdir(), 'tfs-identity-keys-'))
  identity = await startIdentity({
    ...{ db: leavable(store.db), port: await freePort(), keyDir, passwordGrant: true, demo: true },
    baseUrls: ['http://localhost:8080'],
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
})
afterAll(async () => {
  await identity.close()
  await store.close()
  await rm(keyDir, { recursive: true, force: true })
})

async function away<T>(work: () => Promise<T>): Promise<T> {
  isAway = true
  try {
    return await work()
  } finally {
    isAway = false
  }
}

const url = (name: keyof typeof PATHS): string => `${identity.issuer}${PATHS[name]}`
const token = (fields: Readonly<Record<string, string>>) =>
  fetch(url('token'), {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'tfs-ops', ...fields }),
  })
const chief = { grant_type: 'password', username: 'chief', password: 'chief' }

describe('while the database is away', () => {
  test('the token endpoint answers 503 in JSON, locks nobody out, and recovers by itself', async () => {
    await away(async () => {
      for (let i = 0; i < 8; i++) {
        const response = await token(chief)
        expect(response.status).toBe(503)
        expect(response.headers.get('retry-after')).toBe('1')
        expect(await response.json()).toEqual({
          error: 'temporarily_unavailable',
          error_description:
            'The identity provider cannot reach its database at the moment. Try again shortly.',
        })
      }
      for (const fields of [
        { grant_type: 'refresh_token', refresh_token: 'x' },
        {
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: 'http://localhost:8080/console/',
        },
      ]) {
        expect((await token(fields)).status).toBe(503)
      }
    })
    expect((await token(chief)).status).toBe(200)
  })

  test('keys and discovery are answered from memory, so that the API goes on', async () => {
    await away(async () => {
      expect((await fetch(url('discovery'))).status).toBe(200)
      expect((await fetch(url('jwks'))).status).toBe(200)
    })
  })

  test('people see a page that says so, and are not sent away with an error', async () => {
    const query = new URLSearchParams({
      ...{ response_type: 'code', client_id: 'tfs-ops', code_challenge_method: 'S256' },
      ...{ redirect_uri: 'http://localhost:8080/console/', code_challenge: 'x'.repeat(43) },
    })
    await away(async () => {
      for (const page of [
        `${url('authorization')}?${query}`,
        `${url('signIn')}/${'x'.repeat(43)}`,
        url('device'),
      ]) {
        const headers = { cookie: `tfs_interaction_${identity.port}=x`, accept: 'text/html' }
        const response = await fetch(page, { redirect: 'manual', headers })
        const text = await response.text()
        if (page.includes('login-actions')) expect(text).toContain('expired')
        else {
          expect({ page, status: response.status }).toEqual({ page, status: 503 })
          expect(text).toContain('cannot reach its database')
        }
      }
    })
  })

  test('userinfo and introspection are 503, never "not active"', async () => {
    const { access_token: accessToken } = (await (await token(chief)).json()) as {
      access_token: string
    }
    await away(async () => {
      const headers = { authorization: `Bearer ${accessToken}` }
      expect((await fetch(url('userinfo'), { headers })).status).toBe(503)
      const body = new URLSearchParams({ token: accessToken, client_id: 'x', client_secret: 'x' })
      expect((await fetch(url('introspection'), { method: 'POST', body })).status).toBe(503)
    })
  })
})
