import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from './test/browser.ts'
import {
  authorizationUrl,
  CLI,
  CONSOLE,
  exchange,
  newPkce,
  openSignIn,
  PORTAL,
  refresh,
  signIn,
  typePassword,
} from './test/code-flow.ts'
import { claimsOf, DEMO_LINKS, openRealm, type TestRealm } from './test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

describe('code flow with PKCE', () => {
  test('a person signs in and the console gets tokens with exactly the claims of the contract', async () => {
    const signedIn = await signIn(realm, 'preparer')
    expect(signedIn.answer.get('iss')).toBe(realm.issuer)
    expect(signedIn.answer.get('state')).toBe('state-of-the-app')
    const { status, body, headers } = await exchange(realm, CONSOLE, signedIn)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 300 })
    expect(body['refresh_token']).toEqual(expect.any(String))
    const claims = claimsOf(body['access_token'])
    expect(Object.keys(claims).sort()).toEqual(
      ['acr', 'aud', 'auth_time', 'azp', 'exp', 'iat', 'iss', 'jti', 'preferred_username']
        .concat(['realm_access', 'sid', 'sub', 'typ'])
        .sort(),
    )
    expect(claims).toMatchObject({
      ...{ iss: realm.issuer, aud: 'tfs-core-api', azp: 'tfs-ops', typ: 'Bearer', acr: '1' },
      preferred_username: 'preparer',
    })
    expect(realm.complaints).toEqual([])
  })

  test('partyId of a customer and no permission in the ID token', async () => {
    const { body } = await exchange(
      realm,
      PORTAL,
      await signIn(realm, 'customer', { client: PORTAL }),
    )
    expect(claimsOf(body['access_token'])).toMatchObject({
      ...{ azp: 'tfs-portal', partyId: DEMO_LINKS.customer },
      realm_access: { roles: ['my:read', 'my:request'] },
    })
    const idToken = claimsOf(body['id_token'])
    expect(idToken).toMatchObject({ aud: 'tfs-portal', preferred_username: 'customer' })
    expect(Object.keys(idToken)).not.toContain('realm_access')
    expect(Object.keys(idToken)).not.toContain('partyId')
  })

  test('a request without scope still gives a JWT with our audience, and a refresh token', async () => {
    const signedIn = await signIn(realm, 'chief', { more: { scope: undefined } })
    const { body } = await exchange(realm, CONSOLE, signedIn)
    expect(claimsOf(body['access_token'])).toMatchObject({ aud: 'tfs-core-api', azp: 'tfs-ops' })
    expect(body['id_token']).toBeUndefined()
    const renewed = await refresh(realm, body['refresh_token'])
    expect(claimsOf(renewed.body['access_token'])).toMatchObject({ aud: 'tfs-core-api' })
  })

  test('a second window of the same browser is signed in without a question', async () => {
    const { browser } = await signIn(realm, 'auditor')
    const shown = await openSignIn(browser, authorizationUrl(realm, PORTAL, newPkce()))
    expect(shown.status).toBe(303)
    expect(shown.location).toContain('code=')
  })

  test('a program on the machine asks before it acts as someone who is signed in already', async () => {
    const { browser } = await signIn(realm, 'auditor')
    const page = await openSignIn(browser, authorizationUrl(realm, CLI, newPkce()))
    expect(page.text).toContain('Let TFS command line act as you?')
  })

  test('a wrong password shows the page again with the name kept and a clear error', async () => {
    const browser = openBrowser()
    const page = await openSignIn(browser, authorizationUrl(realm, CONSOLE, newPkce()))
    const again = await typePassword(browser, page, 'approver', 'not it')
    expect(again.status).toBe(400)
    expect(again.text).toContain('User name or password is not right.')
    expect(again.text).toContain('value="approver"')
    expect((await typePassword(browser, again, 'approver')).location).toContain('code=')
  })
})
