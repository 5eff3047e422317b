import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from './test/browser.ts'
import {
  authorizationUrl,
  CONSOLE,
  exchange,
  newPkce,
  PORTAL,
  refresh,
  signIn,
} from './test/code-flow.ts'
import { openRealm, type TestRealm } from './test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

async function refusalAt(
  client: { readonly clientId: string; readonly redirectUri: string },
  more: Readonly<Record<string, string | undefined>>,
) {
  const shown = await openBrowser().get(authorizationUrl(realm, client, newPkce(), more))
  const query = shown.location === undefined ? undefined : new URL(shown.location).searchParams
  return { shown, error: query?.get('error'), code: query?.get('code'), iss: query?.get('iss') }
}

describe('authorization requests', () => {
  test.each([
    ['no challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['no challenge, method named', { code_challenge: undefined }],
    ['plain', { code_challenge_method: 'plain' }],
    ['no method, which means plain', { code_challenge_method: undefined }],
    ['another method', { code_challenge_method: 's256' }],
    ['a challenge that is no digest', { code_challenge: 'short' }],
  ])('invalid_request for %s', async (_name, more) => {
    expect(await refusalAt(CONSOLE, more)).toMatchObject({
      ...{ error: 'invalid_request', code: null, iss: realm.issuer },
    })
  })

  test.each(['token', 'id_token', 'code id_token', 'code token', 'none'])(
    'unsupported_response_type for response_type=%s',
    async (responseType) => {
      const { shown } = await refusalAt(CONSOLE, { response_type: responseType, nonce: 'n' })
      expect(shown.location).toContain('error=unsupported_response_type')
    },
  )

  test('invalid_request for response_mode=form_post, whose page would need a script', async () => {
    const { shown } = await refusalAt(CONSOLE, { response_mode: 'form_post' })
    expect(`${shown.location ?? ''} ${shown.text}`).toContain('invalid_request')
    expect(shown.text).not.toContain('<script')
  })

  test.each([
    ['another site', 'https://evil.example/console/'],
    ['another path', 'http://localhost:8080/other/'],
    ['a longer path', 'http://localhost:8080/console/../evil'],
    ['a path below', 'http://localhost:8080/console/callback'],
    ['no trailing slash', 'http://localhost:8080/console'],
    ['a query', 'http://localhost:8080/console/?next=//evil.example'],
    ['a fragment', 'http://localhost:8080/console/#x'],
    ['a user before the host', 'http://localhost:8080@evil.example/console/'],
    ['another scheme', 'https://localhost:8080/console/'],
    ['a name that only begins alike', 'http://localhost.evil.example/console/'],
    ['the portal’s address', PORTAL.redirectUri],
    ['a script', 'javascript:alert(1)'],
    ['none at all', undefined],
  ])('400 and no redirect for a foreign redirect: %s', async (_name, redirectUri) => {
    const { shown } = await refusalAt(CONSOLE, { redirect_uri: redirectUri })
    expect(shown.status).toBe(400)
    expect(shown.location).toBeUndefined()
    expect(shown.text).not.toContain('evil.example')
  })

  test.each(['nobody', 'tfs-core-api', 'tfs-partner-dealer', ''])(
    '400 and no redirect for client %j',
    async (clientId) => {
      const { shown } = await refusalAt(CONSOLE, { client_id: clientId })
      expect(shown.status).toBe(400)
      expect(shown.location).toBeUndefined()
    },
  )
})

describe('codes', () => {
  test.each([
    ['a wrong verifier', { code_verifier: 'v'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['the challenge as verifier', undefined],
  ])('invalid_grant for %s, and the code is not spent by it', async (_name, more) => {
    const signedIn = await signIn(realm, 'approver')
    const wrong = more ?? { code_verifier: signedIn.pkce.challenge }
    const refused = await exchange(realm, CONSOLE, signedIn, wrong)
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(JSON.stringify(refused.body)).not.toContain('access_token')
    expect((await exchange(realm, CONSOLE, signedIn)).status).toBe(200)
  })

  test('invalid_grant for another redirect_uri than the one that was asked with', async () => {
    const signedIn = await signIn(realm, 'approver')
    const more = { redirect_uri: 'http://localhost:8081/console/' }
    expect(await exchange(realm, CONSOLE, signedIn, more)).toMatchObject({
      ...{
        status: 400,
        body: { error: 'invalid_grant', error_description: 'Incorrect redirect_uri' },
      },
    })
  })

  test('invalid_grant for another client than the one that asked', async () => {
    const signedIn = await signIn(realm, 'approver')
    const refused = await exchange(realm, CONSOLE, signedIn, { client_id: 'tfs-portal' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('a code used twice revokes what it gave', async () => {
    const signedIn = await signIn(realm, 'approver')
    const first = await exchange(realm, CONSOLE, signedIn)
    expect(first.status).toBe(200)
    expect(await exchange(realm, CONSOLE, signedIn)).toMatchObject({
      ...{ status: 400, body: { error: 'invalid_grant', error_description: 'Code not valid' } },
    })
    const renewed = await refresh(realm, first.body['refresh_token'])
    expect(renewed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('after such a revocation the person is signed in still and gets a new grant', async () => {
    const signedIn = await signIn(realm, 'approver')
    await exchange(realm, CONSOLE, signedIn)
    await exchange(realm, CONSOLE, signedIn)
    const again = await signIn(realm, 'approver', { browser: signedIn.browser })
    const { status, body } = await exchange(realm, CONSOLE, again)
    expect(status).toBe(200)
    expect((await refresh(realm, body['refresh_token'])).status).toBe(200)
  })
})

describe('fifty at once', () => {
  test.each(['embedded', 'postgres'] as const)(
    'exactly one exchange of a code succeeds and what it gave is revoked (%s)',
    async (kind) => {
      const own = await openRealm({ kind })
      try {
        const signedIn = await signIn(own, 'approver')
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => exchange(own, CONSOLE, signedIn)),
        )
        const won = answers.filter(({ status }) => status === 200)
        expect(won).toHaveLength(1)
        for (const { status, body } of answers.filter((one) => one.status !== 200)) {
          expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'invalid_grant' })
        }
        const renewed = await refresh(own, won[0]?.body['refresh_token'])
        expect(renewed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
        expect(own.complaints).toEqual([])
      } finally {
        await own.close()
      }
    },
  )
})
