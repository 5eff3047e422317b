import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realmSettings } from '../../deploy/keycloak/realm-settings.ts'
import { createAccount } from './accounts.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { fillLoginPage, launchBrowser, loginByBrowser } from './browser.ts'
import { authorizationUrl, newPkce } from './code-flow.ts'
import { PERMISSION_CODES } from './permission-catalogue.ts'
import { HARDENED_ORIGINS } from './realm-import.ts'
import type { Keycloak } from './server.ts'
import { claimsOf, passwordGrant, refreshGrant, requireAccessToken, tokenAnswer } from './tokens.ts'

const STAFF = { username: 'ana', password: 'Correct-horse-battery-9' }
const CONSOLE = {
  clientId: 'tfs-ops',
  redirectUri: `${HARDENED_ORIGINS.TFS_CONSOLE_ORIGIN}/console/`,
  scope: 'openid',
}

let keycloak: Keycloak
let browser: Browser

beforeAll(async () => {
  keycloak = await borrowKeycloak('hardened')
  browser = await launchBrowser()
  const account = { ...STAFF, permissions: ['contract:read', 'contract:approve'] }
  await createAccount(keycloak.admin, account)
})

afterAll(async () => {
  await browser?.close()
  await keycloak?.close()
})

interface Client {
  readonly clientId: string
  readonly redirectUris: string[]
  readonly webOrigins: string[]
  readonly directAccessGrantsEnabled: boolean
}

async function clientsByName(): Promise<Map<string, Client>> {
  const clients = await keycloak.admin<Client[]>('GET', '/clients')
  return new Map(clients.map((client) => [client.clientId, client]))
}

describe('the hardened realm', () => {
  test('is imported as it is written', async () => {
    const written = JSON.parse(JSON.stringify(realmSettings('hardened'))) as object
    expect(await keycloak.admin('GET', '')).toMatchObject(written)
  })

  test('has the permission codes, nothing else of ours, and none of them by default', async () => {
    const roles = await keycloak.admin<{ name: string }[]>('GET', '/roles')
    const codes = roles.map((role) => role.name).filter((name) => name.includes(':'))
    expect(codes.toSorted()).toEqual(PERMISSION_CODES.toSorted())
    const path = '/roles/default-roles-tfs/composites'
    const defaults = await keycloak.admin<{ name: string }[]>('GET', path)
    const names = defaults.map((role) => role.name).toSorted()
    expect(names).toEqual(['manage-account', 'offline_access', 'view-profile'])
  })

  test('has its redirect URIs filled in, exact ones', async () => {
    const clients = await clientsByName()
    expect(clients.get('tfs-ops')).toMatchObject({
      redirectUris: [CONSOLE.redirectUri],
      webOrigins: [HARDENED_ORIGINS.TFS_CONSOLE_ORIGIN],
    })
    expect(clients.get('tfs-portal')?.redirectUris).toEqual([
      `${HARDENED_ORIGINS.TFS_PORTAL_ORIGIN}/portal/`,
    ])
  })

  test('has no account but the one made here and no partner client', async () => {
    const users = await keycloak.admin<{ username: string }[]>('GET', '/users')
    expect(users.map((user) => user.username)).toEqual([STAFF.username])
    const names = [...(await clientsByName()).keys()]
    expect(names.filter((name) => name.startsWith('tfs-partner'))).toEqual([])
  })
})

describe('the password grant is off', () => {
  test('400 unauthorized_client for tfs-ops with the right password', async () => {
    const { status, body } = await passwordGrant(keycloak, STAFF.username, STAFF.password)
    expect([status, body.error]).toEqual([400, 'unauthorized_client'])
    expect(body.access_token).toBeUndefined()
  })

  test('and for every client of the realm, Keycloak’s own included', async () => {
    for (const client_id of (await clientsByName()).keys()) {
      const { status, body } = await tokenAnswer(keycloak, {
        grant_type: 'password',
        client_id,
        ...STAFF,
      })
      expect(status, client_id).toBeGreaterThanOrEqual(400)
      expect(body.access_token, client_id).toBeUndefined()
    }
  })

  test('offline tokens are refused to our clients', async () => {
    const request = { ...CONSOLE, scope: 'openid offline_access' }
    const url = authorizationUrl(keycloak, request, newPkce())
    const answer = await fetch(url, { redirect: 'manual' })
    expect(answer.headers.get('location')).toContain('error=invalid_scope')
  })
})

describe('people log in by code + PKCE', () => {
  test('and get five minutes, rotated refreshes and the claims (spec 5.4.1, spec 5.4.4)', async () => {
    const { tokens } = await loginByBrowser(browser, keycloak, CONSOLE, STAFF)
    const claims = claimsOf(requireAccessToken(tokens))
    expect(claims).toMatchObject({
      aud: 'tfs-core-api',
      azp: 'tfs-ops',
      preferred_username: STAFF.username,
    })
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(300)
    const { roles } = claims['realm_access'] as { roles: string[] }
    expect(roles.toSorted()).toEqual(['contract:approve', 'contract:read'])

    expect((await refreshGrant(keycloak, tokens.body.refresh_token)).status).toBe(200)
    const reused = await refreshGrant(keycloak, tokens.body.refresh_token)
    expect(reused.body.error).toBe('invalid_grant')
  })

  test('400 for loopback and for a path below the console', async () => {
    for (const redirectUri of ['http://localhost:8080/console/', `${CONSOLE.redirectUri}x`]) {
      const url = authorizationUrl(keycloak, { ...CONSOLE, redirectUri }, newPkce())
      expect((await fetch(url, { redirect: 'manual' })).status, redirectUri).toBe(400)
    }
  })

  test('with a password of twelve characters that is not the name', async () => {
    for (const password of ['short-9', 'weak-password-of-weak']) {
      const account = { username: password.startsWith('weak') ? 'weak' : 'short', password }
      await expect(createAccount(keycloak.admin, account)).rejects.toThrow(/400/)
    }
  })

  test('and are locked out after repeated failures, even with the right password', async () => {
    const username = 'ben'
    await createAccount(keycloak.admin, { username, password: STAFF.password })
    const page = await browser.newPage()
    await page.goto(authorizationUrl(keycloak, CONSOLE, newPkce()))
    const wrongs = Array.from({ length: 5 }, () => 'mistyped')
    for (const password of [...wrongs, STAFF.password]) {
      const answered = page.waitForEvent('load')
      await fillLoginPage(page, { username, password })
      await answered
      expect(await page.locator('#input-error-username').textContent()).toContain('Invalid')
    }
    await page.close()
    const [account] = await keycloak.admin<{ id: string }[]>('GET', `/users?username=${username}`)
    const path = `/attack-detection/brute-force/users/${account?.id}`
    expect(await keycloak.admin('GET', path)).toMatchObject({ disabled: true })
  })
})

test('what people and administrators do is recorded', async () => {
  await loginByBrowser(browser, keycloak, CONSOLE, STAFF)
  const events = await keycloak.admin<{ type: string }[]>('GET', '/events')
  expect(events.map((event) => event.type)).toEqual(
    expect.arrayContaining(['LOGIN', 'CODE_TO_TOKEN']),
  )
  const adminEvents = await keycloak.admin<{ resourceType: string }[]>('GET', '/admin-events')
  expect(adminEvents.map((event) => event.resourceType)).toContain('USER')
})
