import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateKeys } from './keys/rotate-keys.ts'
import { formAction, hiddenFields, openBrowser, type TestBrowser } from './test/browser.ts'
import {
  authorizationUrl,
  CONSOLE,
  exchange,
  newPkce,
  openSignIn,
  refresh,
  signIn,
} from './test/code-flow.ts'
import { openRealm, type TestRealm } from './test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

function logoutUrl(parameters: Readonly<Record<string, string>>): string {
  return `${realm.url('endSession')}?${new URLSearchParams(parameters)}`
}

async function isSignedIn(browser: TestBrowser): Promise<boolean> {
  const shown = await openSignIn(browser, authorizationUrl(realm, CONSOLE, newPkce()))
  return shown.location?.includes('code=') ?? false
}

async function signedIn() {
  const start = await signIn(realm, 'chief')
  const { body } = await exchange(realm, CONSOLE, start)
  return { browser: start.browser, tokens: body, hint: String(body['id_token']) }
}

const BACK = { client_id: 'tfs-ops', post_logout_redirect_uri: CONSOLE.redirectUri }

describe('logout', () => {
  test('asks first, then ends the session and its tokens and leads back with the state', async () => {
    const { browser, tokens, hint } = await signedIn()
    const page = await browser.get(logoutUrl({ ...BACK, id_token_hint: hint, state: 's 1' }))
    expect(page.text).toContain('<h1>Sign out?</h1>')
    expect(page.text).toContain('Carla Chief')
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://localhost:8080;",
    )
    expect(await isSignedIn(browser)).toBe(true)

    const fresh = await browser.get(logoutUrl({ ...BACK, id_token_hint: hint, state: 's 1' }))
    const done = await browser.post(formAction(fresh), { ...hiddenFields(fresh), logout: 'yes' })
    expect(done.status).toBe(303)
    expect(done.location).toBe(`${CONSOLE.redirectUri}?state=s+1`)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await refresh(realm, tokens['refresh_token'])).body['error']).toBe('invalid_grant')
  })

  test('without an address to go back to it ends on a page of its own', async () => {
    const { browser } = await signedIn()
    const page = await browser.get(logoutUrl({}))
    const done = await browser.follow(
      await browser.post(formAction(page), { ...hiddenFields(page), logout: 'yes' }),
    )
    expect(done.text).toContain('You are signed out')
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('of nobody goes straight back, without a page that needs a script', async () => {
    const shown = await openBrowser().get(logoutUrl({ ...BACK, state: 'x' }))
    expect(shown.status).toBe(303)
    expect(shown.location).toBe(`${CONSOLE.redirectUri}?state=x`)
    const plain = openBrowser()
    const done = await plain.follow(await plain.get(logoutUrl({})))
    expect(done.text).toContain('You are signed out')
  })

  test('a hint whose key was withdrawn meanwhile is no obstacle', async () => {
    const { browser, hint } = await signedIn()
    await rotateKeys(realm.keyDir, { withdraw: true })
    await realm.identity().reloadKeys()
    const { client_id: _id, ...withoutClient } = BACK
    const page = await browser.get(logoutUrl({ ...withoutClient, id_token_hint: hint }))
    expect(page.text).toContain('<h1>Sign out?</h1>')
    const done = await browser.post(formAction(page), { ...hiddenFields(page), logout: 'yes' })
    expect(done.location).toBe(CONSOLE.redirectUri)
  })
})

describe('open redirect at logout', () => {
  test.each([
    'https://evil.example/',
    'http://localhost:8080/portal/',
    'http://localhost:8080/console/../../evil',
    'http://localhost:8080/console/?x=1',
    'http://localhost:8080@evil.example/console/',
    '//evil.example/console/',
    'javascript:alert(1)',
  ])('400 for %s, with a session and without', async (uri) => {
    const { browser, hint } = await signedIn()
    for (const [who, extra] of [
      [browser, { client_id: 'tfs-ops' }],
      [browser, { id_token_hint: hint }],
      [openBrowser(), { client_id: 'tfs-ops' }],
    ] as const) {
      const shown = await who.get(logoutUrl({ ...extra, post_logout_redirect_uri: uri }))
      expect(shown.status).toBe(400)
      expect(shown.location).toBeUndefined()
      expect(shown.text).not.toContain('evil')
    }
  })

  test('an address without a client leads nowhere', async () => {
    const uri = { post_logout_redirect_uri: 'https://evil.example/' }
    const shown = await openBrowser().get(logoutUrl(uri))
    expect(shown.location ?? '').not.toContain('evil')
    const { browser } = await signedIn()
    const page = await browser.get(logoutUrl(uri))
    const done = await browser.post(formAction(page), { ...hiddenFields(page), logout: 'yes' })
    expect(done.location ?? '').not.toContain('evil')
  })

  test('400 for a hint that we did not sign', async () => {
    const { browser, hint } = await signedIn()
    const [head, payload] = hint.split('.')
    for (const forged of [`${head}.${payload}.AAAA`, 'nonsense', `${hint}x`]) {
      expect((await browser.get(logoutUrl({ ...BACK, id_token_hint: forged }))).status).toBe(400)
    }
  })

  test('nobody is signed out by a link or a form from elsewhere', async () => {
    const { browser } = await signedIn()
    const page = await browser.get(logoutUrl(BACK))
    for (const [fields, headers, status] of [
      [{ logout: 'yes' }, {}, 400],
      [{ logout: 'yes', xsrf: 'x'.repeat(48) }, {}, 400],
      [{ ...hiddenFields(page), logout: 'yes' }, { origin: 'https://evil.example' }, 403],
    ] as const) {
      expect((await browser.post(formAction(page), fields, headers)).status).toBe(status)
    }
    expect(await isSignedIn(browser)).toBe(true)
  })
})
