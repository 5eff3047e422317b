import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disableAccount } from './accounts/change-account.ts'
import { addPartnerClient, disableClient, renewClientSecret } from './accounts/partner-clients.ts'
import { passwordGrant } from './test/code-flow.ts'
import { claimsOf, openRealm, type TestRealm } from './test/realm.ts'

const BY = { actor: 'test' }
const ID = 'tfs-partner-dealer'
const CODES = ['scope:partner', 'contract:create', 'contract:read']

let realm: TestRealm
let secret: string
beforeAll(async () => {
  realm = await openRealm()
  const details = { id: ID, partnerId: 'ptn_dana', permissions: CODES }
  secret = (await addPartnerClient(realm.store.db, BY, details)).secret
})
afterAll(() => realm.close())

const basic = (id: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
})

function tokenOfSystem(password: string, fields = {}) {
  return realm.post('token', { grant_type: 'client_credentials', ...fields }, basic(ID, password))
}

describe('client credentials', () => {
  test('a partner’s system gets a token bound to its partner, and is no person', async () => {
    const { status, body } = await tokenOfSystem(secret)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'token_type'])
    expect(claimsOf(body['access_token'])).toEqual({
      ...{ iss: realm.issuer, aud: 'tfs-core-api', azp: ID, sub: ID, typ: 'Bearer', acr: '1' },
      preferred_username: `service-account-${ID}`,
      realm_access: { roles: [...CODES].sort() },
      partnerId: 'ptn_dana',
      ...{ jti: expect.any(String), iat: expect.any(Number), exp: expect.any(Number) },
    })
  })

  test('the secret may also stand in the body', async () => {
    const fields = { grant_type: 'client_credentials', client_id: ID, client_secret: secret }
    expect((await realm.post('token', fields)).status).toBe(200)
  })

  test.each([
    ['a wrong secret', () => tokenOfSystem('wrong')],
    ['the stored digest as secret', async () => tokenOfSystem(await storedDigest())],
    ['no secret', () => realm.post('token', { grant_type: 'client_credentials', client_id: ID })],
    [
      'an unknown system',
      () => realm.post('token', { grant_type: 'client_credentials' }, basic('tfs-partner-x', 'x')),
    ],
  ])('401 invalid_client for %s', async (_name, send) => {
    const { status, body } = await send()
    expect({ status, error: body['error'] }).toEqual({ status: 401, error: 'invalid_client' })
  })

  async function storedDigest(): Promise<string> {
    const { rows } = await realm.store.rights.use((session) =>
      session.query('select secret_sha256 as digest from oauth_client', []),
    )
    return (rows as { digest: string }[])[0]?.digest ?? ''
  }

  test.each(['tfs-ops', 'tfs-portal', 'tfs-cli'])('public client %s gets none', async (id) => {
    const fields = { grant_type: 'client_credentials', client_id: id }
    expect(await realm.post('token', fields)).toMatchObject({
      ...{ status: 400, body: { error: 'unauthorized_client' } },
    })
  })

  test('a partner’s system gets no other grant', async () => {
    const fields = { grant_type: 'password', username: 'chief', password: 'chief' }
    expect(await realm.post('token', fields, basic(ID, secret))).toMatchObject({
      ...{ status: 400, body: { error: 'unauthorized_client' } },
    })
  })

  test('another resource than the API: invalid_target', async () => {
    const { body } = await tokenOfSystem(secret, { resource: 'https://elsewhere.example' })
    expect(body['error']).toBe('invalid_target')
  })
})

describe('userinfo', () => {
  const ask = (token: unknown) =>
    fetch(realm.url('userinfo'), { headers: { authorization: `Bearer ${token}` } })

  test('tells the profile of the signed-in person and no permission', async () => {
    const { body } = await passwordGrant(realm, 'preparer')
    const response = await ask(body['access_token'])
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      ...{ sub: claimsOf(body['access_token'])['sub'], preferred_username: 'preparer' },
      ...{ name: 'Petra Preparer', given_name: 'Petra', family_name: 'Preparer' },
    })
  })

  test('401 for no token, a foreign one, a changed one, a system’s', async () => {
    const { body } = await passwordGrant(realm, 'preparer')
    const [head, , signature] = String(body['access_token']).split('.')
    const claims = { ...claimsOf(body['access_token']), sub: 'someone' }
    const forged = Buffer.from(JSON.stringify(claims)).toString('base64url')
    const system = (await tokenOfSystem(secret)).body['access_token']
    for (const token of [
      '',
      'x.y.z',
      `${head}.${forged}.${signature}`,
      body['refresh_token'],
      system,
    ]) {
      const response = await ask(token)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('Bearer')
    }
  })

  test('401 once the account is disabled', async () => {
    const { body } = await passwordGrant(realm, 'auditor')
    expect((await ask(body['access_token'])).status).toBe(200)
    await disableAccount(realm.store.db, BY, 'auditor')
    expect((await ask(body['access_token'])).status).toBe(401)
  })
})

describe('introspection', () => {
  const ask = (token: unknown, headers = basic(ID, secret)) =>
    realm.post('introspection', { token: String(token) }, headers)

  test('a confidential client learns whether a token is active, and its claims', async () => {
    const { body } = await passwordGrant(realm, 'chief')
    const answer = await ask(body['access_token'])
    expect(answer.body).toMatchObject({
      ...claimsOf(body['access_token']),
      ...{ active: true, client_id: 'tfs-ops', username: 'chief', token_type: 'Bearer' },
    })
    const own = (await tokenOfSystem(secret)).body['access_token']
    expect((await ask(own)).body['active']).toBe(true)
  })

  test.each(['', 'nonsense', 'a.b.c'])('token %j is not active, and that is all', async (token) => {
    expect(await ask(token)).toMatchObject({ status: 200, body: { active: false } })
  })

  test('401 without a client that can prove itself', async () => {
    const { body } = await passwordGrant(realm, 'chief')
    for (const headers of [
      basic(ID, 'wrong'),
      basic('tfs-ops', ''),
      { authorization: 'Basic !' },
    ]) {
      expect((await ask(body['access_token'], headers)).status).toBe(401)
    }
    const open = { token: String(body['access_token']), client_id: 'tfs-ops' }
    expect((await realm.post('introspection', open)).status).toBe(401)
  })
})

describe('a partner’s system under management', () => {
  test('a renewed secret replaces the old one at once; a disabled system gets nothing', async () => {
    const renewed = await renewClientSecret(realm.store.db, BY, ID)
    expect((await tokenOfSystem(secret)).status).toBe(401)
    expect((await tokenOfSystem(renewed)).status).toBe(200)
    await disableClient(realm.store.db, BY, ID)
    expect((await tokenOfSystem(renewed)).status).toBe(401)
  })
})
