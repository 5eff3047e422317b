import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { steppedClock } from '../../../test/stepped-clock.ts'
import { createBearer } from '../../access/bearer/bearer.ts'
import { passwordGrant } from '../test/code-flow.ts'
import { openRealm, type TestRealm } from '../test/realm.ts'
import { rotateKeys } from './rotate-keys.ts'

const time = steppedClock(Date.now())
let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm({ clock: time.clock })
})
afterAll(() => realm.close())

async function publishedKids(): Promise<string[]> {
  const body = (await (await fetch(realm.url('jwks'))).json()) as { keys: { kid: string }[] }
  for (const key of body.keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  }
  return body.keys.map(({ kid }) => kid)
}

async function newToken(): Promise<string> {
  return String((await passwordGrant(realm, 'chief')).body['access_token'])
}

const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8')).kid

function openBearer() {
  return createBearer({
    ...{ issuer: realm.issuer, audience: 'tfs-core-api', maxTokenLifeSeconds: 86_400 },
    ...{ isKnown: () => true, clock: () => Date.now() },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
}

describe('key rotation', () => {
  test('the API takes tokens of before, during and after it, and nobody notices', async () => {
    const bearer = openBearer()
    await bearer.start()
    try {
      const before = await newToken()
      expect((await bearer.identify(before)).username).toBe('chief')

      const { kid } = await rotateKeys(realm.keyDir, { clock: time.clock })
      await realm.identity().reloadKeys()
      const after = await newToken()
      expect(kidOf(after)).toBe(kid)
      expect(kidOf(before)).not.toBe(kid)
      expect(await publishedKids()).toEqual([kid, kidOf(before)])
      expect((await bearer.identify(after)).username).toBe('chief')
      expect((await bearer.identify(before)).username).toBe('chief')

      time.step(400)
      await realm.identity().reloadKeys()
      expect(await publishedKids()).toEqual([kid])
      expect(await readdir(realm.keyDir)).toHaveLength(2)
    } finally {
      bearer.stop()
    }
  })

  test('a running provider follows by itself', async () => {
    const { kid } = await rotateKeys(realm.keyDir, { clock: time.clock })
    await expect.poll(publishedKids, { timeout: 15_000, interval: 250 }).toContain(kid)
  })

  test('a withdrawn key is gone at once, and so are its tokens for an API that starts now', async () => {
    const before = await newToken()
    await rotateKeys(realm.keyDir, { withdraw: true, clock: time.clock })
    await realm.identity().reloadKeys()
    expect(await publishedKids()).toHaveLength(1)
    const bearer = openBearer()
    await bearer.start()
    try {
      await expect(bearer.identify(before)).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      expect((await bearer.identify(await newToken())).username).toBe('chief')
    } finally {
      bearer.stop()
    }
  })

  test('rotating often keeps every key whose tokens may be in use', async () => {
    const kids: string[] = []
    for (let i = 0; i < 3; i++) {
      kids.unshift((await rotateKeys(realm.keyDir, { clock: time.clock })).kid)
      time.step(60)
    }
    await realm.identity().reloadKeys()
    const published = await publishedKids()
    expect(published[0]).toBe(kids[0])
    expect(published).toEqual(expect.arrayContaining(kids))
  })

  test('keys are for their owner alone; files that others can read stop the start', async () => {
    expect((await stat(realm.keyDir)).mode & 0o777).toBe(0o700)
    const names = await readdir(realm.keyDir)
    for (const name of names) {
      expect((await stat(join(realm.keyDir, name))).mode & 0o777).toBe(0o600)
    }
    const key = join(realm.keyDir, names.find((name) => name.includes('signing')) as string)
    await chmod(key, 0o644)
    try {
      await expect(rotateKeys(realm.keyDir)).rejects.toThrow(
        /can be read by others \(644\): chmod 600/,
      )
    } finally {
      await chmod(key, 0o600)
    }
  })
})
