import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formAction, hiddenFields, openBrowser, type TestBrowser } from './test/browser.ts'
import {
  authorizationUrl,
  CONSOLE,
  exchange,
  newPkce,
  openSignIn,
  signIn,
  typePassword,
} from './test/code-flow.ts'
import { claimsOf, openRealm, type TestRealm } from './test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

function openPage(browser: TestBrowser) {
  return openSignIn(browser, authorizationUrl(realm, CONSOLE, newPkce()))
}

function sessionCookie({ cookies }: TestBrowser) {
  return [...cookies.values()].find(({ name }) => /^tfs_session_\d+$/.test(name))
}

describe('session fixation', () => {
  test('a session id that was known before the sign-in is worth nothing after it', async () => {
    const victim = openBrowser()
    await victim.get(realm.url('device'))
    const planted = new Map(victim.cookies)
    const known = sessionCookie(victim)?.value
    expect(known).toEqual(expect.any(String))

    await typePassword(victim, await openPage(victim), 'chief')
    expect(sessionCookie(victim)?.value).not.toBe(known)

    const attacker = openBrowser()
    for (const [key, cookie] of planted) attacker.cookies.set(key, cookie)
    expect((await openPage(attacker)).text).toContain('<h1>Sign in</h1>')
  })

  test('a forged session id is not taken over: cookies are signed', async () => {
    const { browser } = await signIn(realm, 'chief')
    const cookie = sessionCookie(browser)
    for (const [key, one] of browser.cookies) {
      if (one.name.endsWith('.sig')) browser.cookies.delete(key)
    }
    expect(cookie?.value).toEqual(expect.any(String))
    expect((await openPage(browser)).text).toContain('<h1>Sign in</h1>')
  })

  test('every sign-in in a browser that has a session gives the session another id', async () => {
    const { browser } = await signIn(realm, 'chief')
    const before = sessionCookie(browser)?.value
    await signIn(realm, 'chief', { browser, more: { prompt: 'login' } })
    expect(sessionCookie(browser)?.value).not.toBe(before)
  })

  test('signing in as someone else ends the session of the first one, tokens included', async () => {
    const first = await signIn(realm, 'chief')
    const { body } = await exchange(realm, CONSOLE, first)
    const second = await signIn(realm, 'auditor', {
      ...{ browser: first.browser, more: { prompt: 'login' } },
    })
    const tokens = await exchange(realm, CONSOLE, second)
    expect(claimsOf(tokens.body['access_token'])['preferred_username']).toBe('auditor')
    const renewed = await realm.post('token', {
      ...{ grant_type: 'refresh_token', client_id: 'tfs-ops' },
      refresh_token: String(body['refresh_token']),
    })
    expect(renewed.body['error']).toBe('invalid_grant')
  })

  test('cookies are out of reach of scripts and foreign sites, and of other paths', async () => {
    const { browser } = await signIn(realm, 'chief')
    await openPage(openBrowser())
    for (const { line } of browser.cookies.values()) {
      expect(line).toMatch(/; httponly/i)
      expect(line).toMatch(/; samesite=lax/i)
      expect(line).toMatch(/; path=\/realms\/tfs/i)
    }
    // Ends with the browser; how long the session lives is the database's to say.
    expect(sessionCookie(browser)?.line).not.toMatch(/expires=|max-age=/i)
  })
})

describe('login CSRF', () => {
  test('a form that another browser began signs nobody in', async () => {
    const attacker = openBrowser()
    const page = await openPage(attacker)
    const victim = openBrowser()
    const fields = { ...hiddenFields(page), username: 'chief', password: 'chief' }
    const shown = await victim.post(formAction(page), fields)
    expect(shown.status).toBe(400)
    expect(shown.text).toContain('This sign-in has expired')
    expect(victim.cookies.size).toBe(0)
  })

  test('the victim’s own pending sign-in cannot be ended with the attacker’s form', async () => {
    const attackers = await openPage(openBrowser())
    const victim = openBrowser()
    const own = await openPage(victim)
    const fields = { ...hiddenFields(attackers), username: 'chief', password: 'chief' }
    const shown = await victim.post(formAction(own), fields)
    expect(shown.status).toBe(403)
    expect(shown.text).toContain('This form did not come from here')
  })

  test('the cookie of one sign-in does not open another', async () => {
    const [mine, other] = [openBrowser(), openBrowser()]
    await openPage(mine)
    const page = await openPage(other)
    const { pathname } = new URL(page.url)
    for (const [key, cookie] of [...mine.cookies]) {
      mine.cookies.set(`${key} planted`, { ...cookie, path: pathname })
    }
    expect((await mine.get(page.url)).status).toBe(400)
    const fields = { ...hiddenFields(page), username: 'chief', password: 'chief' }
    expect((await mine.post(formAction(page), fields)).text).toContain('This sign-in has expired')
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://localhost:8080' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a same-site page', { 'sec-fetch-site': 'same-site' }],
    ['a cross-site page', { 'sec-fetch-site': 'cross-site' }],
  ])('403 for a form sent by %s', async (_name, headers) => {
    const browser = openBrowser()
    const page = await openPage(browser)
    const fields = { ...hiddenFields(page), username: 'chief', password: 'chief' }
    const shown = await browser.post(formAction(page), fields, headers)
    expect(shown.status).toBe(403)
    expect(shown.location).toBeUndefined()
  })

  test.each([
    ['no token', {}],
    ['an empty token', { form_token: '' }],
    ['a made-up token', { form_token: 'x'.repeat(43) }],
  ])('403 for a form with %s', async (_name, token) => {
    const browser = openBrowser()
    const page = await openPage(browser)
    const fields = { ...token, username: 'chief', password: 'chief' }
    expect((await browser.post(formAction(page), fields)).status).toBe(403)
  })

  test('403 for fields sent twice or by another content type', async () => {
    const browser = openBrowser()
    const page = await openPage(browser)
    const { form_token: token = '' } = hiddenFields(page)
    const cookie = [...browser.cookies.values()].map((c) => `${c.name}=${c.value}`).join('; ')
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', `form_token=${token}&username=chief&username=x`],
      ['text/plain', `form_token=${token}&username=chief&password=chief`],
      ['application/json', JSON.stringify({ form_token: token })],
    ] as const) {
      const init = { method: 'POST', body, headers: { 'content-type': type, cookie } }
      expect((await fetch(formAction(page), { ...init, redirect: 'manual' })).status).toBe(403)
    }
  })
})

describe('the page', () => {
  test('is fenced: no script, no frame, forms only to itself and the application', async () => {
    const page = await openPage(openBrowser())
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' http://localhost:8080;")
    expect(policy).not.toMatch(/unsafe|script-src|\*/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.text).not.toMatch(/<script|<link|<img| on\w+=| style=/)
  })

  test('shows what a stranger sends as text', async () => {
    const browser = openBrowser()
    const nasty = '"><script>alert(1)</script>'
    const url = authorizationUrl(realm, CONSOLE, newPkce(), { login_hint: nasty })
    const page = await openSignIn(browser, url)
    const again = await typePassword(browser, page, nasty, 'x')
    for (const { text } of [page, again]) {
      expect(text).toContain('&quot;&gt;&lt;script&gt;')
      expect(text).not.toContain('<script')
    }
  })

  test('a demo button signs in by the same checks, and only where the demo was asked for', async () => {
    const browser = openBrowser()
    const page = await openPage(browser)
    const fields = { ...hiddenFields(page), demo: 'auditor' }
    const done = await browser.follow(await browser.post(formAction(page), fields))
    expect(done.location).toContain('code=')

    const strict = await openRealm({ demo: false })
    try {
      const other = openBrowser()
      const plain = await openSignIn(other, authorizationUrl(strict, CONSOLE, newPkce()))
      expect(plain.text).not.toContain('Demo users')
      const tried = { ...hiddenFields(plain), demo: 'auditor' }
      expect((await other.post(formAction(plain), tried)).text).toContain('not right')
      const typed = { ...hiddenFields(plain), username: 'auditor', password: 'auditor' }
      expect((await other.post(formAction(plain), typed)).text).toContain('disabled')
      const refused = await openBrowser().get(
        authorizationUrl(strict, CONSOLE, newPkce(), {
          redirect_uri: 'http://localhost:8081/console/',
        }),
      )
      expect({ status: refused.status, location: refused.location }).toEqual({ status: 400 })
    } finally {
      await strict.close()
    }
  })
})
