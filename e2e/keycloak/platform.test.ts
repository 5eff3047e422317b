import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_USERS, permissionsOf } from '../../deploy/keycloak/demo-users.ts'
import { expectProblem } from '../../server/test/problems.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { PERMISSION_CODES } from './permission-catalogue.ts'
import { obstaclesOf, type Platform, preparedBy, startPlatform } from './platform.ts'
import type { Keycloak } from './server.ts'
import { signingKeyId } from './signing-keys.ts'
import {
  accessTokenOf,
  claimsOf,
  endpointOf,
  passwordGrant,
  requireAccessToken,
  tokenAnswer,
} from './tokens.ts'

let keycloak: Keycloak
let platform: Platform

beforeAll(async () => {
  keycloak = await borrowKeycloak('demo')
  platform = await startPlatform(keycloak)
})

afterAll(async () => {
  await platform?.close()
  await keycloak?.close()
})

describe('discovery', () => {
  test('names the addresses of the contract (spec 4.4, spec 4.5, spec 4.6, spec 5.1.1)', async () => {
    const { authUrl, issuer } = keycloak
    const answer = await fetch(`${authUrl}/realms/tfs/.well-known/openid-configuration`)
    expect(await answer.json()).toMatchObject({
      issuer: `${authUrl}/realms/tfs`,
      authorization_endpoint: `${authUrl}/realms/tfs/protocol/openid-connect/auth`,
      token_endpoint: `${authUrl}/realms/tfs/protocol/openid-connect/token`,
      jwks_uri: endpointOf({ issuer }, 'certs'),
    })
  })

  test('gives the platform its keys at the start: ready, and the log names them (spec 5.1.3)', async () => {
    expect(await obstaclesOf(platform.stranger)).toEqual([])
    expect(platform.logLines.join('\n')).toContain(await signingKeyId(keycloak.admin))
  })

  test('503 for every token while discovery names another issuer, and /readyz says so', async () => {
    const env = {
      OIDC_DISCOVERY_URL: `${keycloak.authUrl}/realms/master/.well-known/openid-configuration`,
    }
    const misled = await startPlatform(keycloak, { env, demo: false })
    try {
      const answer = await (await misled.as('chief')).get('/me')
      expectProblem(answer, 503, 'IDENTITY_PROVIDER_UNAVAILABLE')
      const ready = await misled.stranger.get('/readyz')
      expect(ready.status).toBe(503)
      expect(ready.body.checks.keys).toMatchObject({
        ok: false,
        detail: expect.stringContaining('OIDC_ISSUER'),
      })
    } finally {
      await misled.close()
    }
  })
})

describe('a token by the password grant', () => {
  test('four parameters, form-encoded, give what the API takes as it is (spec 4.8, spec 4.10, spec 5.3.1)', async () => {
    const { status, body } = await passwordGrant(keycloak, 'preparer')
    expect(status).toBe(200)
    const me = await platform.bearing(body.access_token ?? '').get('/me')
    expect([me.status, me.body.username, me.body.mode]).toEqual([200, 'preparer', 'token'])
  })

  test.each(DEMO_USERS)(
    '/me shows $username exactly the permissions (spec 5.4.4, spec 5.5.1, spec 5.5.2)',
    async (user) => {
      const { body } = await (await platform.as(user.username)).get('/me')
      expect(body).toMatchObject({ username: user.username, impersonated: false })
      expect(body.permissions).toEqual(permissionsOf(user, PERMISSION_CODES).toSorted())
      expect([body.partyId, body.partnerId]).toEqual([user.partyId, user.partnerId])
    },
  )

  test('its subject, user name and client are who /me says (spec 5.4.2, spec 5.4.3)', async () => {
    const token = await accessTokenOf(keycloak, 'chief')
    const { body } = await platform.bearing(token).get('/me')
    const claims = claimsOf(token)
    expect(body).toMatchObject({
      subject: `${keycloak.issuer}#${claims['sub']}`,
      username: claims['preferred_username'],
      clientId: 'tfs-ops',
      expiresAt: new Date(Number(claims['exp']) * 1000).toISOString(),
    })
  })

  test('401 TOKEN_INVALID for one of the same realm without our audience (spec 5.4.1)', async () => {
    const foreign = await tokenAnswer(keycloak, {
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'chief',
      password: 'chief',
    })
    const token = requireAccessToken(foreign)
    expect(claimsOf(token)['aud']).not.toBe('tfs-core-api')
    expectProblem(await platform.bearing(token).get('/me'), 401, 'TOKEN_INVALID')
  })

  test('401 TOKEN_INVALID when OIDC_CLIENTS does not name its client (spec 5.4.2)', async () => {
    const strict = await startPlatform(keycloak, {
      env: { OIDC_CLIENTS: 'tfs-portal' },
      demo: false,
    })
    try {
      expectProblem(await (await strict.as('chief')).get('/me'), 401, 'TOKEN_INVALID')
    } finally {
      await strict.close()
    }
  })

  test('401 TOKEN_INVALID for its refresh token, twice in a row', async () => {
    const { body } = await passwordGrant(keycloak, 'chief')
    const client = platform.bearing(body.refresh_token ?? '')
    for (const _ of [1, 2]) expectProblem(await client.get('/me'), 401, 'TOKEN_INVALID')
  })
})

describe('permissions', () => {
  test('403 names contract:approve to the preparer who lacks it (spec 5.5.3)', async () => {
    const preparer = await platform.as('preparer')
    const id = await preparedBy(preparer)
    const answer = await preparer.post(`/contracts/${id}/approve`)
    expectProblem(answer, 403, 'PERMISSION_MISSING')
    expect(answer.body.requiredPermission).toBe('contract:approve')
  })

  test('403 for every other demo user who may not approve, and nothing changes', async () => {
    const id = await preparedBy(await platform.as('preparer'))
    for (const username of ['auditor', 'dealer', 'customer']) {
      const answer = await (await platform.as(username)).post(`/contracts/${id}/approve`)
      expectProblem(answer, 403, 'PERMISSION_MISSING', username)
    }
    const { body } = await (await platform.as('auditor')).get(`/contracts/${id}`)
    expect([body.state, body.version]).toEqual(['PENDING_APPROVAL', 1])
  })
})

describe('whose rows', () => {
  test('a customer sees the own contracts under /my, another one none of them', async () => {
    const id = await preparedBy(await platform.as('preparer'))
    const [customer, customer2] = [await platform.as('customer'), await platform.as('customer2')]
    const listed = async (client: typeof customer): Promise<string[]> => {
      const { body } = await client.get('/my/contracts?limit=200')
      return body.items.map((contract: { id: string }) => contract.id)
    }
    expect(await listed(customer)).toContain(id)
    const others = await listed(customer2)
    expect(others.length).toBeGreaterThan(0)
    expect((await listed(customer)).filter((one) => others.includes(one))).toEqual([])
    expect((await customer.get(`/my/contracts/${id}`)).status).toBe(200)
    expectProblem(await customer2.get(`/my/contracts/${id}`), 404, 'NOT_FOUND')
  })

  test('403 PARTY_REQUIRED under /my for staff without a party', async () => {
    expectProblem(await (await platform.as('chief')).get('/my/contracts'), 403, 'PARTY_REQUIRED')
  })

  test('a dealer sees the own partner’s contracts and no other, and prepares for that partner', async () => {
    const foreign = await preparedBy(await platform.as('preparer'))
    const dealer = await platform.as('dealer')
    expectProblem(await dealer.get(`/contracts/${foreign}`), 404, 'NOT_FOUND')
    const { body } = await dealer.get('/contracts?limit=200')
    const partners = new Set(body.items.map((one: { partnerId: string }) => one.partnerId))
    expect([...partners]).toEqual(['ptn_demo_dealer'])
    const own = await preparedBy(dealer)
    expect((await dealer.get(`/contracts/${own}`)).body.partnerId).toBe('ptn_demo_dealer')
  })
})
