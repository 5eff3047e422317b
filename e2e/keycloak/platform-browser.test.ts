import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../server/test/problems.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { type CodeLogin, launchBrowser, loginByBrowser } from './browser.ts'
import { authorizationUrlWith, exchangeCode, newPkce, redirectAnswer } from './code-flow.ts'
import { impersonatedCode } from './impersonation.ts'
import { type Platform, preparedBy, startPlatform } from './platform.ts'
import { CONSOLE } from './recordings.ts'
import type { Keycloak } from './server.ts'
import { claimsOf, refreshGrant, requireAccessToken } from './tokens.ts'

const APPROVER = { username: 'approver', password: 'approver' }
const PORTAL = { clientId: 'tfs-portal', redirectUri: 'http://localhost:8080/portal/' }

let keycloak: Keycloak
let platform: Platform
let browser: Browser

beforeAll(async () => {
  keycloak = await borrowKeycloak('demo')
  platform = await startPlatform(keycloak)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await platform?.close()
  await keycloak?.close()
})

describe('code + PKCE by a real browser', () => {
  describe('of the console', () => {
    let login: CodeLogin

    beforeAll(async () => {
      login = await loginByBrowser(browser, keycloak, CONSOLE, APPROVER)
    })

    test('its user approves with the token (spec 5.2.1, spec 5.2.3, spec 5.2.4, spec 4.11)', async () => {
      const id = await preparedBy(await platform.as('preparer'))
      expect(login.callback.get('iss')).toBe(keycloak.issuer)
      const client = platform.bearing(requireAccessToken(login.tokens))
      const { status, body } = await client.post(`/contracts/${id}/approve`)
      expect([status, body.state]).toEqual([200, 'APPROVED'])
      expect((await client.get('/me')).body).toMatchObject({
        username: 'approver',
        clientId: 'tfs-ops',
      })
    })

    test('401 TOKEN_INVALID for the ID token and the refresh token, twice in a row', async () => {
      const { id_token: idToken = '', refresh_token: refreshToken = '' } = login.tokens.body
      expect(claimsOf(idToken)['typ']).toBe('ID')
      for (const token of [idToken, idToken, refreshToken, refreshToken]) {
        expectProblem(await platform.bearing(token).get('/me'), 401, 'TOKEN_INVALID')
      }
    })

    test('a refreshed token works like the first one', async () => {
      const refreshed = await refreshGrant(keycloak, login.tokens.body.refresh_token)
      const me = await platform.bearing(requireAccessToken(refreshed)).get('/me')
      expect([me.status, me.body.username]).toEqual([200, 'approver'])
    })
  })

  test('a customer reads the own contracts with the portal’s token, asked for without openid', async () => {
    const login = { username: 'customer', password: 'customer' }
    const { tokens } = await loginByBrowser(browser, keycloak, PORTAL, login)
    const { status, body } = await platform.bearing(requireAccessToken(tokens)).get('/my/contracts')
    expect(status).toBe(200)
    expect(body.items.length).toBeGreaterThan(0)
  })

  test('409 FOUR_EYES_SAME_USER for chief through another client than the one that prepared (spec 5.5.4)', async () => {
    const id = await preparedBy(await platform.as('chief'))
    const cli = { clientId: 'tfs-cli', redirectUri: 'http://127.0.0.1:49152/callback' }
    const login = { username: 'chief', password: 'chief' }
    const { tokens } = await loginByBrowser(browser, keycloak, cli, login)
    const client = platform.bearing(requireAccessToken(tokens))
    expect((await client.get('/me')).body.clientId).toBe('tfs-cli')
    expectProblem(await client.post(`/contracts/${id}/approve`), 409, 'FOUR_EYES_SAME_USER')
  })

  test('no token for a code with a wrong verifier, and none afterwards with the right one (spec 5.2.4)', async () => {
    const { code, pkce } = await impersonatedCode(keycloak, 'approver', CONSOLE)
    for (const verifier of [newPkce().verifier, pkce.verifier]) {
      const { status, body } = await exchangeCode(keycloak, CONSOLE, code, verifier)
      expect([status, body.error, body.access_token]).toEqual([400, 'invalid_grant', undefined])
    }
  })

  test('no code without response_type=code and an S256 challenge (spec 5.2.2)', async () => {
    const { challenge } = newPkce()
    const wrong: Record<string, string>[] = [
      {},
      { code_challenge: challenge, code_challenge_method: 'plain' },
      { code_challenge: challenge, code_challenge_method: 'S256', response_type: 'token' },
    ]
    for (const parameters of wrong) {
      const url = authorizationUrlWith(keycloak, CONSOLE, parameters)
      const answer = await fetch(url, { redirect: 'manual' })
      const location = new URL(answer.headers.get('location') ?? '')
      const fields = location.hash
        ? new URLSearchParams(location.hash.slice(1))
        : redirectAnswer(answer)
      expect(fields.get('error'), url).toMatch(/^(?:invalid_request|unauthorized_client)$/)
      expect([fields.get('code'), fields.get('access_token')], url).toEqual([null, null])
    }
  })
})
