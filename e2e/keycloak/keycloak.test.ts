import { setTimeout as delay } from 'node:timers/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_USERS, permissionsOf } from '../../deploy/keycloak/demo-users.ts'
import { accountOf } from './accounts.ts'
import { anonymous } from './anonymous.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { launchBrowser, loginByBrowser } from './browser.ts'
import { authorizationUrl, authorizationUrlWith, newPkce, redirectAnswer } from './code-flow.ts'
import { approveDevice } from './device-approval.ts'
import { deviceTokens, startDeviceFlow } from './device-flow.ts'
import { readFixture } from './fixtures.ts'
import { PERMISSION_CODES } from './permission-catalogue.ts'
import { recordedKeycloak } from './recorded-keycloak.ts'
import { CONSOLE, recordings } from './recordings.ts'
import type { Keycloak } from './server.ts'
import { foreignServer } from './settings.ts'
import {
  accessTokenOf,
  claimsOf,
  endpointOf,
  headerOf,
  partnerAccessToken,
  passwordGrant,
  refreshGrant,
  requireAccessToken,
  tokenAnswer,
} from './tokens.ts'

let keycloak: Keycloak
let browser: Browser

beforeAll(async () => {
  keycloak = await borrowKeycloak('demo', { fresh: true })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await keycloak?.close()
})

function rolesOf(token: string): string[] {
  const access = claimsOf(token)['realm_access'] as { roles: string[] }
  return access.roles.toSorted()
}

describe('discovery', () => {
  test('has the shapes of the contract (spec 4.4, spec 4.5, spec 4.6)', async () => {
    const { authUrl } = keycloak
    const answer = await fetch(`${authUrl}/realms/tfs/.well-known/openid-configuration`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      issuer: `${authUrl}/realms/tfs`,
      authorization_endpoint: `${authUrl}/realms/tfs/protocol/openid-connect/auth`,
      token_endpoint: `${authUrl}/realms/tfs/protocol/openid-connect/token`,
      jwks_uri: `${authUrl}/realms/tfs/protocol/openid-connect/certs`,
      code_challenge_methods_supported: expect.arrayContaining(['S256']),
    })
  })

  // What OIDC_DISCOVERY_URL is for. A server of somebody else's may be set up otherwise.
  test.skipIf(foreignServer() !== undefined)(
    'asked at an inner address it names the same issuer and its keys at the inner address',
    async () => {
      const inner = keycloak.issuer.replace('localhost', '127.0.0.1')
      const answer = await fetch(`${inner}/.well-known/openid-configuration`)
      expect(await answer.json()).toMatchObject({
        issuer: keycloak.issuer,
        authorization_endpoint: endpointOf(keycloak, 'auth'),
        jwks_uri: `${inner}/protocol/openid-connect/certs`,
      })
    },
  )
})

describe('the password grant with exactly the four parameters (spec 4.8, spec 5.3.1)', () => {
  test.each(DEMO_USERS)(
    'gives $username the claims (spec 5.4.1, spec 5.4.2, spec 5.4.3, spec 5.4.4)',
    async (user) => {
      const token = await accessTokenOf(keycloak, user.username)
      const claims = claimsOf(token)
      expect(headerOf(token)).toMatchObject({ alg: 'RS256', typ: 'JWT' })
      expect(claims).toMatchObject({
        iss: keycloak.issuer,
        aud: 'tfs-core-api',
        azp: 'tfs-ops',
        preferred_username: user.username,
        typ: 'Bearer',
        acr: '1',
        sub: expect.any(String),
        sid: expect.any(String),
        jti: expect.any(String),
      })
      expect(rolesOf(token)).toEqual(permissionsOf(user, PERMISSION_CODES).toSorted())
      expect(claims['partyId']).toBe(user.partyId)
      expect(claims['partnerId']).toBe(user.partnerId)
      expect(Object.keys(claims)).not.toContain('resource_access')
    },
  )

  test('200 with a signature that the published keys verify and five minutes of life', async () => {
    const { status, body } = await passwordGrant(keycloak, 'preparer')
    expect(status).toBe(200)
    const keys = createRemoteJWKSet(new URL(endpointOf(keycloak, 'certs')))
    const { payload } = await jwtVerify(body.access_token ?? '', keys, {
      issuer: keycloak.issuer,
      audience: 'tfs-core-api',
      algorithms: ['RS256'],
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
  })

  test('400 unauthorized_client for every other client of ours', async () => {
    for (const client_id of ['tfs-portal', 'tfs-cli']) {
      const parameters = { grant_type: 'password', client_id, username: 'chief', password: 'chief' }
      const { status, body } = await tokenAnswer(keycloak, parameters)
      expect([status, body.error], client_id).toEqual([400, 'unauthorized_client'])
    }
  })

  test('a refreshed token keeps its claims; a used refresh token is refused', async () => {
    const first = await passwordGrant(keycloak, 'dealer')
    const second = await refreshGrant(keycloak, first.body.refresh_token)
    expect(claimsOf(requireAccessToken(second))).toMatchObject({
      aud: 'tfs-core-api',
      partnerId: 'ptn_demo_dealer',
    })
    const reused = await refreshGrant(keycloak, first.body.refresh_token)
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant'])
  })
})

test('client credentials of a partner give a service account bound to its partner', async () => {
  const token = await partnerAccessToken(keycloak)
  expect(claimsOf(token)).toMatchObject({
    aud: 'tfs-core-api',
    azp: 'tfs-partner-dealer',
    preferred_username: 'service-account-tfs-partner-dealer',
    partnerId: 'ptn_demo_dealer',
  })
  expect(rolesOf(token)).toContain('scope:partner')
})

describe('code + PKCE through Keycloak’s own login page (spec 4.9, spec 4.11, spec 5.2.4)', () => {
  const approver = { username: 'approver', password: 'approver' }

  test('gives the console the same claims, and when the user logged in', async () => {
    const { tokens, callback } = await loginByBrowser(browser, keycloak, CONSOLE, approver)
    expect(callback.get('iss')).toBe(keycloak.issuer)
    const claims = claimsOf(requireAccessToken(tokens))
    expect(claims).toMatchObject({ aud: 'tfs-core-api', azp: 'tfs-ops', acr: '1' })
    expect(claims['auth_time']).toEqual(expect.any(Number))
    expect(rolesOf(requireAccessToken(tokens))).toContain('contract:approve')
    expect(JSON.stringify(claimsOf(tokens.body.id_token ?? ''))).not.toContain('contract:approve')
  })

  test('without openid still gives a token with our audience', async () => {
    const portal = { clientId: 'tfs-portal', redirectUri: 'http://localhost:8080/portal/' }
    const customer = { username: 'customer', password: 'customer' }
    const { tokens } = await loginByBrowser(browser, keycloak, portal, customer)
    expect(tokens.body.id_token).toBeUndefined()
    expect(claimsOf(requireAccessToken(tokens))).toMatchObject({
      aud: 'tfs-core-api',
      azp: 'tfs-portal',
      partyId: 'pty_demo_customer',
    })
  })

  test.each([
    ['tfs-ops', '/console/'],
    ['tfs-portal', '/portal/'],
    ['tfs-cli', '/callback'],
  ])('%s comes back to loopback on any port, path %s and nowhere else', async (clientId, path) => {
    const statusFor = async (redirectUri: string) => {
      const request = { clientId, redirectUri }
      const url = authorizationUrl(keycloak, request, newPkce())
      return (await fetch(url, { redirect: 'manual' })).status
    }
    expect(await statusFor(`http://localhost:8080${path}`)).toBe(200)
    expect(await statusFor(`http://127.0.0.1:49152${path}`)).toBe(200)
    for (const foreign of [
      `http://localhost:8080${path}x`,
      `http://127.0.0.1:8080${path}?next=x`,
      `https://localhost:8080${path}`,
      `http://example.org${path}`,
      `http://127.0.0.1:8080@example.org${path}`,
      `http://localhost.example.org${path}`,
    ]) {
      expect(await statusFor(foreign), foreign).toBe(400)
    }
  })

  test.each([
    ['no challenge', {}],
    ['plain', { code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' }],
    ['no method', { code_challenge: 'c'.repeat(43) }],
  ])('invalid_request with %s', async (_, parameters) => {
    for (const clientId of ['tfs-ops', 'tfs-portal', 'tfs-cli']) {
      const path = { 'tfs-ops': '/console/', 'tfs-portal': '/portal/' }[clientId] ?? '/callback'
      const request = { clientId, redirectUri: `http://127.0.0.1:8080${path}` }
      const url = authorizationUrlWith(keycloak, request, parameters)
      const answer = redirectAnswer(await fetch(url, { redirect: 'manual' }))
      expect(answer.get('error'), clientId).toBe('invalid_request')
      expect(answer.get('code'), clientId).toBeNull()
    }
  })

  test('a page on loopback may call the token endpoint (CORS)', async () => {
    const answer = await fetch(endpointOf(keycloak, 'token'), {
      method: 'POST',
      headers: { origin: 'http://127.0.0.1:8080' },
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'tfs-ops' }),
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:8080')
  })
})

test('the device flow gives the command line a token once the user agrees', async () => {
  const device = await startDeviceFlow(keycloak)
  const early = await deviceTokens(keycloak, device)
  expect([early.status, early.body.error]).toEqual([400, 'authorization_pending'])
  await approveDevice(browser, device, { username: 'preparer', password: 'preparer' })
  await delay(device.intervalSeconds * 1000)
  const token = requireAccessToken(await deviceTokens(keycloak, device))
  expect(claimsOf(token)).toMatchObject({
    aud: 'tfs-core-api',
    azp: 'tfs-cli',
    preferred_username: 'preparer',
  })
})

test('a customer cannot change the own partyId through the account API', async () => {
  const account = `${keycloak.issuer}/account/`
  const { tokens } = await loginByBrowser(
    browser,
    keycloak,
    { clientId: 'account-console', redirectUri: account, scope: 'openid' },
    { username: 'customer2', password: 'customer2' },
  )
  const headers = {
    authorization: `Bearer ${requireAccessToken(tokens)}`,
    'content-type': 'application/json',
    accept: 'application/json',
  }
  const own = (await (await fetch(account, { headers })).json()) as { attributes: object }
  expect(own.attributes).toMatchObject({ partyId: ['pty_demo_customer2'] })

  const post = async (change: object, attributes: object) => {
    const body = JSON.stringify({
      ...own,
      ...change,
      attributes: { ...own.attributes, ...attributes },
    })
    return (await fetch(account, { method: 'POST', headers, body })).status
  }
  // The account API is open to this token: an attribute of the user's own is changed.
  expect(await post({ firstName: 'Renamed' }, {})).toBe(204)
  expect(await post({}, { partyId: ['pty_demo_customer'] })).toBe(400)
  expect(await post({}, { partnerId: ['ptn_demo_dealer'] })).toBe(400)
  expect(await post({}, { partyId: [] })).toBe(400)

  expect(await accountOf(keycloak.admin, 'customer2')).toMatchObject({
    firstName: 'Renamed',
    attributes: { partyId: ['pty_demo_customer2'] },
  })
  expect(claimsOf(await accessTokenOf(keycloak, 'customer2'))['partyId']).toBe('pty_demo_customer2')
})

test('a stranger cannot register a client', async () => {
  const answer = await fetch(`${keycloak.issuer}/clients-registrations/openid-connect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['http://example.org/'] }),
  })
  expect(answer.status).toBe(403)
})

test('the fixtures are what this Keycloak says', async () => {
  const recorded = await recordings(recordedKeycloak(keycloak, browser))
  for (const [name, document] of Object.entries(recorded)) {
    const fixture = await readFixture(name)
    const said = { keycloak: keycloak.version, recorded: anonymous(document, keycloak) }
    expect(said, `${name}: run node e2e/keycloak/record.ts`).toEqual(fixture)
  }
})
