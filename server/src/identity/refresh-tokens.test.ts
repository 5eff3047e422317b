import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS } from './lifetimes.ts'
import type { TestBrowser } from './test/browser.ts'
import {
  authorizationUrl,
  CONSOLE,
  exchange,
  newPkce,
  openSignIn,
  passwordGrant,
  refresh,
  signIn,
} from './test/code-flow.ts'
import { claimsOf, openRealm, type TestRealm } from './test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

async function tokensOf(username: string) {
  return (await exchange(realm, CONSOLE, await signIn(realm, username))).body
}

describe('refresh tokens', () => {
  test('each use gives a new one; session and time of sign-in stay', async () => {
    const first = await tokensOf('preparer')
    const { status, body } = await refresh(realm, first['refresh_token'])
    expect(status).toBe(200)
    expect(body['refresh_token']).not.toBe(first['refresh_token'])
    const [before, after] = [claimsOf(first['access_token']), claimsOf(body['access_token'])]
    expect(after).toMatchObject({
      ...{ sid: before['sid'], auth_time: before['auth_time'], sub: before['sub'] },
    })
    expect(after['jti']).not.toBe(before['jti'])
  })

  test('a used one revokes its whole family', async () => {
    const first = await tokensOf('preparer')
    const second = (await refresh(realm, first['refresh_token'])).body
    const third = (await refresh(realm, second['refresh_token'])).body
    expect(await refresh(realm, first['refresh_token'])).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'Maximum allowed refresh token reuse exceeded',
      },
    })
    for (const token of [first, second, third]) {
      expect((await refresh(realm, token['refresh_token'])).body['error']).toBe('invalid_grant')
    }
  })

  test('fifty uses at once: one succeeds, and its successor is revoked too', async () => {
    const { refresh_token: token } = await tokensOf('preparer')
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(realm, token)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect((await refresh(realm, won[0]?.body['refresh_token'])).body['error']).toBe(
      'invalid_grant',
    )
  })

  test('invalid_grant for another client, which spends nothing', async () => {
    const { refresh_token: token } = await tokensOf('preparer')
    expect((await refresh(realm, token, 'tfs-portal')).body['error']).toBe('invalid_grant')
    expect((await refresh(realm, token)).status).toBe(200)
  })

  test('a revoked one is refused; another client’s wish is answered alike and has no effect', async () => {
    const { refresh_token: token } = await tokensOf('preparer')
    const revoke = (clientId: string, revoked: unknown) =>
      realm.post('revocation', { client_id: clientId, token: String(revoked) })
    expect((await revoke('tfs-portal', token)).status).toBe(200)
    const { status, body } = await refresh(realm, token)
    expect(status).toBe(200)
    expect((await revoke('tfs-ops', body['refresh_token'])).status).toBe(200)
    expect((await refresh(realm, body['refresh_token'])).body['error']).toBe('invalid_grant')
  })

  test('no code and no token stands in the database as it was given out', async () => {
    const signedIn = await signIn(realm, 'preparer')
    const tokens = (await exchange(realm, CONSOLE, signedIn)).body
    const cookie = [...signedIn.browser.cookies.values()].find(({ name }) =>
      /^tfs_session_\d+$/.test(name),
    )
    const all = await realm.store.rights.use(async (session) =>
      JSON.stringify((await session.query('select * from artifact', [])).rows),
    )
    for (const secret of [signedIn.code, tokens['refresh_token'], cookie?.value]) {
      expect(secret).toEqual(expect.any(String))
      expect(all).not.toContain(String(secret))
    }
  })
})

describe('time', () => {
  async function later<T>(seconds: number, work: () => Promise<T>): Promise<T> {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
    try {
      return await work()
    } finally {
      vi.useRealTimers()
    }
  }

  test('a session that is idle too long ends, browser or script', async () => {
    const byBrowser = await tokensOf('preparer')
    const byScript = (await passwordGrant(realm, 'preparer')).body
    await later(SESSION_IDLE_SECONDS + 1, async () => {
      for (const { refresh_token: token } of [byBrowser, byScript]) {
        expect((await refresh(realm, token)).body['error']).toBe('invalid_grant')
      }
    })
  })

  test('a session in use goes on, and ends for good when its absolute life is over', async () => {
    let { refresh_token: token } = await tokensOf('preparer')
    const step = SESSION_IDLE_SECONDS - 60
    for (let age = step; age < SESSION_MAX_SECONDS; age += step) {
      const { status, body } = await later(age, () => refresh(realm, token))
      expect({ age, status }).toEqual({ age, status: 200 })
      token = body['refresh_token']
    }
    const over = await later(SESSION_MAX_SECONDS + 1, () => refresh(realm, token))
    expect(over.body['error']).toBe('invalid_grant')
  })

  test('a browser is asked again after idleness, and after the absolute life in any case', async () => {
    const isAsked = async (browser: TestBrowser): Promise<boolean> => {
      const shown = await openSignIn(browser, authorizationUrl(realm, CONSOLE, newPkce()))
      return shown.text.includes('<h1>Sign in</h1>')
    }
    const { browser: idle } = await signIn(realm, 'preparer')
    expect(await later(SESSION_IDLE_SECONDS + 1, () => isAsked(idle))).toBe(true)

    const { browser: busy } = await signIn(realm, 'preparer')
    const step = SESSION_IDLE_SECONDS - 60
    for (let age = step; age < SESSION_MAX_SECONDS; age += step) {
      expect({ age, asked: await later(age, () => isAsked(busy)) }).toEqual({ age, asked: false })
    }
    expect(await later(SESSION_MAX_SECONDS + 1, () => isAsked(busy))).toBe(true)
  })
})
