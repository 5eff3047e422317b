import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectProblem } from '../../server/test/problems.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { movableClock, type Platform, startPlatform } from './platform.ts'
import type { Keycloak } from './server.ts'
import { publishedKeyIds, rotateSigningKey, withdrawSigningKey } from './signing-keys.ts'
import { accessTokenOf, headerOf } from './tokens.ts'

/** Security rule 7: unknown keys start a fetch at most once in this time. */
const DEMAND_WINDOW_SECONDS = 30

const time = movableClock()
let keycloak: Keycloak
let platform: Platform

beforeAll(async () => {
  keycloak = await borrowKeycloak('demo')
  platform = await startPlatform(keycloak, { clock: time.clock, demo: false })
})

afterAll(async () => {
  await platform?.close()
  await keycloak?.close()
})

async function statusOf(token: string): Promise<number> {
  return (await platform.bearing(token).get('/me')).status
}

test('a rotation that nobody notices: tokens of the old and of the new key are served', async () => {
  const before = await accessTokenOf(keycloak, 'chief')
  expect(await statusOf(before)).toBe(200)
  const rotated = await rotateSigningKey(keycloak.admin)
  const after = await accessTokenOf(keycloak, 'chief')
  expect([headerOf(before)['kid'], headerOf(after)['kid']]).toEqual([rotated.old, rotated.new])
  expect(rotated.new).not.toBe(rotated.old)
  const published = await publishedKeyIds(keycloak)
  expect(published).toEqual(expect.arrayContaining([rotated.old, rotated.new]))
  expect([await statusOf(after), await statusOf(before)]).toEqual([200, 200])
})

test('401 TOKEN_INVALID once the keys are fetched after a key was withdrawn, cached tokens too', async () => {
  const withdrawn = await accessTokenOf(keycloak, 'chief')
  const unseen = await accessTokenOf(keycloak, 'auditor')
  expect(await statusOf(withdrawn)).toBe(200) // from now on in the cache
  const rotated = await rotateSigningKey(keycloak.admin)
  await withdrawSigningKey(keycloak.admin, rotated.old)
  expect(await publishedKeyIds(keycloak)).not.toContain(rotated.old)
  const next = await accessTokenOf(keycloak, 'chief')

  time.ahead(DEMAND_WINDOW_SECONDS + 1)
  expect(await statusOf(next)).toBe(200)
  for (const token of [withdrawn, unseen]) {
    expectProblem(await platform.bearing(token).get('/me'), 401, 'TOKEN_INVALID')
  }
  expect(await statusOf(await accessTokenOf(keycloak, 'chief'))).toBe(200)
})

test('401 within the window for a key that the last fetch did not bring', async () => {
  time.ahead(DEMAND_WINDOW_SECONDS + 1)
  const first = await rotateSigningKey(keycloak.admin)
  expect(await statusOf(await accessTokenOf(keycloak, 'chief'))).toBe(200) // uses the window up
  const second = await rotateSigningKey(keycloak.admin)
  expect(second.old).toBe(first.new)
  const early = await accessTokenOf(keycloak, 'chief')
  expectProblem(await platform.bearing(early).get('/me'), 401, 'TOKEN_INVALID')
  time.ahead(DEMAND_WINDOW_SECONDS + 1)
  expect(await statusOf(early)).toBe(200)
})
