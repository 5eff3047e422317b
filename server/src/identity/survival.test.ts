import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disableAccount, revokePermissions, setPassword } from './accounts/change-account.ts'
import { openBrowser } from './test/browser.ts'
import {
  authorizationUrl,
  CONSOLE,
  exchange,
  newPkce,
  openSignIn,
  passwordGrant,
  refresh,
  signIn,
  typePassword,
} from './test/code-flow.ts'
import { claimsOf, openRealm, type TestRealm } from './test/realm.ts'

const BY = { actor: 'test' }
let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

const rolesOf = (token: unknown) => (claimsOf(token)['realm_access'] as { roles: string[] }).roles

describe('a restart', () => {
  test('keeps sessions, refresh tokens, codes and half-done sign-ins', async () => {
    const before = await signIn(realm, 'chief')
    const { body } = await exchange(realm, CONSOLE, before)
    const unspent = await signIn(realm, 'chief', { browser: before.browser })
    const halfway = openBrowser()
    const page = await openSignIn(halfway, authorizationUrl(realm, CONSOLE, newPkce()))

    await realm.restart()

    expect((await refresh(realm, body['refresh_token'])).status).toBe(200)
    expect((await exchange(realm, CONSOLE, unspent)).status).toBe(200)
    expect((await typePassword(halfway, page, 'auditor')).location).toContain('code=')
    const shown = await openSignIn(before.browser, authorizationUrl(realm, CONSOLE, newPkce()))
    expect(shown.location).toContain('code=')
  })
})

describe('changes of an account', () => {
  test('a revoked permission is gone with the next token', async () => {
    const { body } = await passwordGrant(realm, 'preparer')
    expect(rolesOf(body['access_token'])).toContain('contract:create')
    await revokePermissions(realm.store.db, BY, 'preparer', ['contract:create'])
    const renewed = await refresh(realm, body['refresh_token'])
    expect(rolesOf(renewed.body['access_token'])).not.toContain('contract:create')
  })

  test('a new password ends every session of before', async () => {
    const before = await signIn(realm, 'dealer')
    const { body } = await exchange(realm, CONSOLE, before)
    await setPassword(realm.store.db, BY, 'dealer', 'correct horse battery')
    expect((await refresh(realm, body['refresh_token'])).body['error']).toBe('invalid_grant')
    const shown = await openSignIn(before.browser, authorizationUrl(realm, CONSOLE, newPkce()))
    expect(shown.text).toContain('<h1>Sign in</h1>')
    expect((await passwordGrant(realm, 'dealer')).status).toBe(400)
    expect((await passwordGrant(realm, 'dealer', 'correct horse battery')).status).toBe(200)
  })

  test('a disabled user is out: session, refresh token, unspent code, password', async () => {
    const before = await signIn(realm, 'auditor')
    const { body } = await exchange(realm, CONSOLE, before)
    const unspent = await signIn(realm, 'auditor', { browser: before.browser })
    await disableAccount(realm.store.db, BY, 'auditor')
    expect((await refresh(realm, body['refresh_token'])).status).toBe(400)
    expect((await exchange(realm, CONSOLE, unspent)).status).toBe(400)
    expect((await passwordGrant(realm, 'auditor')).body['error_description']).toBe(
      'Account disabled',
    )
    const page = await openSignIn(before.browser, authorizationUrl(realm, CONSOLE, newPkce()))
    expect(page.text).toContain('<h1>Sign in</h1>')
    const tried = await typePassword(before.browser, page, 'auditor')
    expect(tried.text).toContain('This account is disabled.')
    const wrong = await typePassword(before.browser, page, 'auditor', 'wrong')
    expect(wrong.text).toContain('User name or password is not right.')
  })

  test('an account whose session outlived it is asked to sign in, not served and not a fault', async () => {
    const before = await signIn(realm, 'customer2')
    await realm.store.owner(`update account set state = 'DISABLED' where username = 'customer2'`)
    const page = await openSignIn(before.browser, authorizationUrl(realm, CONSOLE, newPkce()))
    expect(page.text).toContain('<h1>Sign in</h1>')
    const silent = authorizationUrl(realm, CONSOLE, newPkce(), { prompt: 'none' })
    expect((await openSignIn(before.browser, silent)).location).toContain('error=login_required')
    expect((await typePassword(before.browser, page, 'chief')).location).toContain('code=')
    expect(realm.complaints).toEqual([])
  })
})
