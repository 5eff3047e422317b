import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../server/test/problems.ts'
import { accountOf } from './accounts.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { movableClock, obstaclesOf, type Platform, preparedBy, startPlatform } from './platform.ts'
import type { Keycloak } from './server.ts'
import { foreignServer } from './settings.ts'
import { rotateSigningKey, signingKeyId } from './signing-keys.ts'
import { accessTokenOf, passwordGrant, refreshGrant } from './tokens.ts'

const DEMAND_WINDOW_SECONDS = 30
/** The background fetch is repeated after at most half a minute. */
const RECOVERY_LIMIT_MS = 90_000
const POLL_MS = 250

describe.skipIf(foreignServer() !== undefined)(
  'a provider that is stopped and started again',
  () => {
    const time = movableClock()
    let keycloak: Keycloak
    let platform: Platform
    let lateComer: Platform
    let before: { keyId: string; accountId: string; refreshToken: string | undefined }
    let contractId: string
    /** Of a key that the platform knows; the second one was never shown to it. */
    let known: { approver: string; chief: string }
    let ofUnknownKey: string

    beforeAll(async () => {
      keycloak = await borrowKeycloak('demo')
      platform = await startPlatform(keycloak, { clock: time.clock })
      contractId = await preparedBy(await platform.as('preparer'))
      known = {
        approver: await accessTokenOf(keycloak, 'approver'),
        chief: await accessTokenOf(keycloak, 'chief'),
      }
      const { body } = await passwordGrant(keycloak, 'preparer')
      await rotateSigningKey(keycloak.admin)
      ofUnknownKey = await accessTokenOf(keycloak, 'chief')
      before = {
        keyId: await signingKeyId(keycloak.admin),
        accountId: (await accountOf(keycloak.admin, 'preparer')).id,
        refreshToken: body.refresh_token,
      }
      await keycloak.stop()
    })

    afterAll(async () => {
      await lateComer?.close()
      await platform?.close()
      await keycloak?.close()
    })

    test('refuses connections while it is away', async () => {
      await expect(fetch(`${keycloak.issuer}/.well-known/openid-configuration`)).rejects.toThrow()
    })

    test('200 for a key that is known, also for a token never seen before, commands included', async () => {
      const approver = platform.bearing(known.approver)
      expect((await approver.get(`/contracts/${contractId}`)).status).toBe(200)
      expect((await platform.bearing(known.chief).get('/me')).body.username).toBe('chief')
      const approved = await approver.post(`/contracts/${contractId}/approve`)
      expect([approved.status, approved.body.state]).toEqual([200, 'APPROVED'])
      expect(await obstaclesOf(platform.stranger)).toEqual([])
    })

    test('503 with Retry-After for a key that is not known, twice in a row', async () => {
      for (const _ of [1, 2]) {
        const answer = await platform.bearing(ofUnknownKey).get('/me')
        expectProblem(answer, 503, 'IDENTITY_PROVIDER_UNAVAILABLE')
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
    })

    test('400 MSG-G-12 for developer headers all the same (spec 5.6.2)', async () => {
      const headers = { 'x-dev-user': 'chief', 'x-dev-permissions': 'contract:approve' }
      expectProblem(await platform.stranger.get('/me', headers), 400, 'MSG-G-12')
      expectProblem(await platform.bearing(known.chief).get('/me', headers), 400, 'MSG-G-12')
    })

    test('a platform that starts meanwhile is up, not ready, 503 for tokens', async () => {
      lateComer = await startPlatform(keycloak, { demo: false })
      expect((await lateComer.stranger.get('/healthz')).status).toBe(200)
      expect((await lateComer.stranger.get('/readyz')).status).toBe(503)
      expect(await obstaclesOf(lateComer.stranger)).toEqual(['keys'])
      const answer = await lateComer.bearing(known.chief).get('/me')
      expectProblem(answer, 503, 'IDENTITY_PROVIDER_UNAVAILABLE')
      expectProblem(await lateComer.stranger.get('/me'), 401, 'UNAUTHENTICATED')
    })

    test('back again it has its keys, accounts and sessions', async () => {
      await keycloak.start()
      expect(await signingKeyId(keycloak.admin)).toBe(before.keyId)
      expect((await accountOf(keycloak.admin, 'preparer')).id).toBe(before.accountId)
      expect((await refreshGrant(keycloak, before.refreshToken)).status).toBe(200)
    }, 180_000)

    test('200 for the key that was unknown, once the window allows another fetch', async () => {
      time.ahead(DEMAND_WINDOW_SECONDS + 1)
      expect((await platform.bearing(ofUnknownKey).get('/me')).status).toBe(200)
      expect((await (await platform.as('approver')).get('/me')).status).toBe(200)
    })

    test('the platform that started meanwhile recovers by itself', async () => {
      const givesUpAt = Date.now() + RECOVERY_LIMIT_MS
      const waits = async () => (await obstaclesOf(lateComer.stranger)).includes('keys')
      while ((await waits()) && Date.now() < givesUpAt) await delay(POLL_MS)
      expect(await obstaclesOf(lateComer.stranger)).toEqual([])
      expect((await (await lateComer.as('chief')).get('/me')).status).toBe(200)
    }, 120_000)
  },
)
