import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount } from './accounts/add-account.ts'
import { disableAccount } from './accounts/change-account.ts'
import { CONSOLE, exchange, passwordGrant, refresh, signIn } from './test/code-flow.ts'
import {
  type Answer,
  CATALOGUE,
  claimsOf,
  DEMO_LINKS,
  openRealm,
  type TestRealm,
} from './test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

const ops = { client_id: 'tfs-ops' }
const BY = { actor: 'test' }

describe('password grant', () => {
  test('the four parameters of the contract give a token, shaped as Keycloak shapes it', async () => {
    const { status, headers, body } = await passwordGrant(realm, 'chief')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: 300,
      refresh_expires_in: 1800,
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      'not-before-policy': 0,
      session_state: claimsOf(body['access_token'])['sid'],
      scope: 'profile email',
    })
    expect((await refresh(realm, body['refresh_token'])).status).toBe(200)
  })

  test.each([
    ['customer', { partyId: DEMO_LINKS.customer }],
    ['customer2', { partyId: DEMO_LINKS.customer2 }],
    ['dealer', { partnerId: DEMO_LINKS.dealer }],
  ])('works for any user and carries the link of %s', async (username, link) => {
    const { body } = await passwordGrant(realm, username)
    expect(claimsOf(body['access_token'])).toMatchObject({
      ...{ preferred_username: username, azp: 'tfs-ops', aud: 'tfs-core-api', ...link },
    })
  })

  test('chief holds every code but those of customers and partners', async () => {
    const { body } = await passwordGrant(realm, 'chief')
    const { roles } = claimsOf(body['access_token'])['realm_access'] as { roles: string[] }
    const expected = CATALOGUE.filter((code) => !code.startsWith('my:') && code !== 'scope:partner')
    expect(roles).toEqual(expected.sort())
  })

  test('works with a password of spaces, quotes and letters of any alphabet', async () => {
    const password = ' пароль+"\'&=% ünïcode 密码 '
    await addAccount(realm.store.db, BY, { username: 'Åsa', permissions: [] }, password)
    const { status, body } = await passwordGrant(realm, 'åSA', password.normalize('NFD'))
    expect(status).toBe(200)
    expect(claimsOf(body['access_token'])['preferred_username']).toBe('Åsa')
  })

  test('unauthorized_client while it is switched off, and nothing of it in discovery', async () => {
    const strict = await openRealm({ passwordGrant: false })
    try {
      expect(await passwordGrant(strict, 'chief')).toMatchObject({
        status: 400,
        body: {
          error: 'unauthorized_client',
          error_description: 'Client not allowed for direct access grants',
        },
      })
      const discovery = await (await fetch(strict.url('discovery'))).text()
      expect(discovery).not.toContain('password')
    } finally {
      await strict.close()
    }
  })

  test.each(['tfs-cli', 'tfs-portal', 'tfs-core-api'])('is refused to client %s', async (id) => {
    const fields = { grant_type: 'password', client_id: id, username: 'chief', password: 'chief' }
    expect((await realm.post('token', fields)).status).toBeGreaterThanOrEqual(400)
  })
})

interface Recorded {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly cacheControl: string
}

const FIXTURES = join(import.meta.dirname, '../../../e2e/keycloak/fixtures')

/** Each failure by the name of its recording of a real Keycloak. */
const FAILURES: Readonly<Record<string, () => Promise<Answer>>> = {
  wrongPassword: () => passwordGrant(realm, 'customer2', 'mistyped'),
  unknownUser: () => passwordGrant(realm, 'nobody'),
  async disabledUser() {
    await disableAccount(realm.store.db, BY, 'approver')
    return passwordGrant(realm, 'approver')
  },
  unknownClient: () =>
    realm.post('token', {
      ...{ grant_type: 'password', client_id: 'nobody', username: 'x', password: 'x' },
    }),
  clientWithoutPasswordGrant: () =>
    realm.post('token', {
      ...{ grant_type: 'password', client_id: 'tfs-portal', username: 'x', password: 'x' },
    }),
  missingGrantType: () => realm.post('token', ops),
  missingUsername: () => realm.post('token', { grant_type: 'password', ...ops, password: 'x' }),
  missingPassword: () => realm.post('token', { grant_type: 'password', ...ops, username: 'x' }),
  missingCode: () => realm.post('token', { grant_type: 'authorization_code', ...ops }),
  unsupportedGrant: () => realm.post('token', { grant_type: 'magic', ...ops }),
  unknownScope: () =>
    realm.post('token', {
      ...{ grant_type: 'password', ...ops, username: 'x', password: 'x', scope: 'nonsense' },
    }),
  async badCode() {
    const signedIn = await signIn(realm, 'chief')
    return exchange(realm, CONSOLE, { ...signedIn, code: 'nonsense' })
  },
  async badVerifier() {
    const more = { code_verifier: 'v'.repeat(43) }
    return exchange(realm, CONSOLE, await signIn(realm, 'chief'), more)
  },
  async missingVerifier() {
    return exchange(realm, CONSOLE, await signIn(realm, 'chief'), { code_verifier: '' })
  },
  async reusedCode() {
    const signedIn = await signIn(realm, 'chief')
    await exchange(realm, CONSOLE, signedIn)
    return exchange(realm, CONSOLE, signedIn)
  },
  async otherRedirectUri() {
    const more = { redirect_uri: 'http://localhost:8081/console/' }
    return exchange(realm, CONSOLE, await signIn(realm, 'chief'), more)
  },
  async reusedRefreshToken() {
    const { body } = await passwordGrant(realm, 'chief')
    await refresh(realm, body['refresh_token'])
    return refresh(realm, body['refresh_token'])
  },
  malformedRefreshToken: () => refresh(realm, 'nonsense'),
}

describe('failures read as Keycloak’s', () => {
  const { recorded } = JSON.parse(readFileSync(join(FIXTURES, 'token-errors.json'), 'utf8')) as {
    recorded: Record<string, Recorded>
  }

  test.each(Object.keys(recorded))('%s', async (name) => {
    const fail = FAILURES[name]
    if (fail === undefined) throw new Error(`Nothing provokes the recorded failure ${name}.`)
    const { status, headers, body } = await fail()
    expect({ status, body }).toEqual({ status: recorded[name]?.status, body: recorded[name]?.body })
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('cache-control')).toBe(recorded[name]?.cacheControl)
  })
})
