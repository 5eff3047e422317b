import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  formAction,
  hiddenFields,
  openBrowser,
  type Shown,
  type TestBrowser,
} from './test/browser.ts'
import { refresh, signIn, typePassword } from './test/code-flow.ts'
import { claimsOf, openRealm, type TestRealm } from './test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

async function begin(fields: Readonly<Record<string, string>> = {}) {
  const answer = await realm.post('deviceAuthorization', { client_id: 'tfs-cli', ...fields })
  return answer as typeof answer & { body: Record<string, string> }
}

function poll(deviceCode: unknown, clientId = 'tfs-cli') {
  return realm.post('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: clientId,
    device_code: String(deviceCode),
  })
}

async function enterCode(browser: TestBrowser, userCode: string): Promise<Shown> {
  const page = await browser.get(realm.url('device'))
  return browser.post(formAction(page), { ...hiddenFields(page), user_code: userCode })
}

async function agree(browser: TestBrowser, confirm: Shown, answer: object = { confirm: 'yes' }) {
  return browser.follow(
    await browser.post(formAction(confirm), { ...hiddenFields(confirm), ...answer }),
  )
}

describe('device flow', () => {
  test('a terminal is signed in by a browser, once the person has agreed', async () => {
    const { status, body } = await begin()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      verification_uri: `${realm.issuer}/device`,
      verification_uri_complete: `${realm.issuer}/device?user_code=${body['user_code']}`,
      expires_in: 600,
    })
    expect(await poll(body['device_code'])).toMatchObject({
      ...{ status: 400, body: { error: 'authorization_pending' } },
    })

    const browser = openBrowser()
    const confirm = await enterCode(browser, String(body['user_code']).toLowerCase())
    expect(confirm.text).toContain(String(body['user_code']))
    const page = await agree(browser, confirm)
    expect(page.text).toContain('to continue to TFS command line')
    const done = await typePassword(browser, page, 'preparer')
    expect(done.text).toContain('<h1>Signed in</h1>')

    const tokens = await poll(body['device_code'])
    expect(tokens.status).toBe(200)
    expect(claimsOf(tokens.body['access_token'])).toMatchObject({
      ...{ aud: 'tfs-core-api', azp: 'tfs-cli', preferred_username: 'preparer', acr: '1' },
    })
    expect((await refresh(realm, tokens.body['refresh_token'], 'tfs-cli')).status).toBe(200)
    expect(realm.complaints).toEqual([])
  })

  test('someone who is signed in already is asked all the same', async () => {
    const { browser } = await signIn(realm, 'auditor')
    const { body } = await begin()
    const confirm = await enterCode(browser, String(body['user_code']))
    const program = await agree(browser, confirm)
    expect(program.text).toContain('Let TFS command line act as you?')
    const done = await browser.follow(
      await browser.post(formAction(program), { ...hiddenFields(program), answer: 'yes' }),
    )
    expect(done.text).toContain('<h1>Signed in</h1>')
    expect(claimsOf((await poll(body['device_code'])).body['access_token'])).toMatchObject({
      preferred_username: 'auditor',
    })
  })

  test('a link with the code in it fills in the form and sends nothing by itself', async () => {
    const { body } = await begin()
    const page = await openBrowser().get(String(body['verification_uri_complete']))
    expect(page.text).toContain(`value="${body['user_code']}"`)
    expect(page.text).not.toContain('<script')
    expect((await poll(body['device_code'])).body['error']).toBe('authorization_pending')
  })

  test('access_denied when the person cancels', async () => {
    const { body } = await begin()
    const browser = openBrowser()
    const confirm = await enterCode(browser, String(body['user_code']))
    const done = await agree(browser, confirm, { abort: 'yes' })
    expect(done.text).toContain('Cancelled')
    expect((await poll(body['device_code'])).body['error']).toBe('access_denied')
  })

  test('a code that is wrong or used up says so', async () => {
    expect((await enterCode(openBrowser(), 'BBBB-BBBB')).text).toContain('There is no such code.')
    expect((await enterCode(openBrowser(), '"><b>')).text).not.toContain('<b>')
    const { body } = await begin()
    const browser = openBrowser()
    await agree(browser, await enterCode(browser, String(body['user_code'])))
    const again = await enterCode(openBrowser(), String(body['user_code']))
    expect(again.text).toContain('This code was used already.')
  })

  test('a device code gives tokens once; a second use revokes them', async () => {
    const { body } = await begin()
    const browser = openBrowser()
    const page = await agree(browser, await enterCode(browser, String(body['user_code'])))
    await typePassword(browser, page, 'preparer')
    const first = await poll(body['device_code'])
    expect(first.status).toBe(200)
    expect((await poll(body['device_code'])).body['error']).toBe('invalid_grant')
    const renewed = await refresh(realm, first.body['refresh_token'], 'tfs-cli')
    expect(renewed.body['error']).toBe('invalid_grant')
  })

  test('another client can neither begin nor collect', async () => {
    expect((await begin({ client_id: 'tfs-ops' })).status).toBe(400)
    const { body } = await begin()
    expect((await poll(body['device_code'], 'tfs-ops')).status).toBe(400)
  })

  test('guesses at codes are slowed down', async () => {
    const own = await openRealm()
    try {
      const browser = openBrowser()
      const texts: string[] = []
      for (let i = 0; i < 25; i++) {
        const page = await browser.get(own.url('device'))
        const fields = { ...hiddenFields(page), user_code: 'BBBB-BBBB' }
        texts.push((await browser.post(formAction(page), fields)).text)
      }
      expect(texts[0]).toContain('There is no such code.')
      expect(texts.at(-1)).toContain('Too many failed attempts.')
    } finally {
      await own.close()
    }
  })
})
