import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPartnerClient } from './accounts/partner-clients.ts'
import { exchange, PORTAL, passwordGrant, signIn } from './test/code-flow.ts'
import { claimsOf, openRealm, type TestRealm } from './test/realm.ts'

const FIXTURES = join(import.meta.dirname, '../../../e2e/keycloak/fixtures')

function recorded<T>(name: string): T {
  return JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8')).recorded
}

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

describe('the embedded provider beside a real Keycloak', () => {
  test('discovery names the same addresses and offers nothing that Keycloak does not', async () => {
    const keycloak = recorded<Record<string, unknown>>('discovery')
    const ours = (await (await fetch(realm.url('discovery'))).json()) as Record<string, unknown>
    for (const [name, value] of Object.entries(ours)) {
      const theirs = keycloak[name]
      if (Array.isArray(value) && !(name in OWN_VALUES)) {
        expect({ name, values: theirs }).toEqual({ name, values: expect.arrayContaining(value) })
      } else if (typeof value === 'string') {
        expect(value.replace(`:${realm.port}/`, ':8180/')).toBe(theirs)
      }
    }
    expect(ours).toMatchObject(OWN_VALUES)
  })

  /** Differences on purpose; docs explain them. */
  const OWN_VALUES = {
    // Public clients prove nothing; Keycloak has them too but does not say so.
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    acr_values_supported: ['1'],
    // Keycloak leaves out the claim that its own tokens name the session by.
    claims_supported: expect.arrayContaining(['sub', 'preferred_username', 'sid']),
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
  }

  interface Token {
    readonly claims: Readonly<Record<string, unknown>>
  }

  const tokens = recorded<Record<string, Token>>('access-tokens')

  /** `scope` says nothing that the API reads; `auth_time` is there for every person, whatever the flow. */
  function comparable(claims: Readonly<Record<string, unknown>>) {
    const { scope: _scope, auth_time: _time, ...rest } = claims
    return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, typeof value]))
  }

  test.each([
    ['passwordGrant', async () => (await passwordGrant(realm, 'preparer')).body],
    [
      'codeFlow',
      async () => {
        const more = { scope: undefined }
        const signedIn = await signIn(realm, 'customer', { client: PORTAL, more })
        return (await exchange(realm, PORTAL, signedIn)).body
      },
    ],
    ['clientCredentials', tokenOfSystem],
  ])('access tokens carry the same claims: %s', async (name, get) => {
    const claims = claimsOf((await get())['access_token'])
    const theirs = tokens[name]?.claims ?? {}
    expect(comparable(claims)).toEqual(comparable(theirs))
    for (const same of ['aud', 'typ', 'acr', 'azp', 'preferred_username', 'realm_access']) {
      expect({ [same]: claims[same] }).toEqual({ [same]: theirs[same] })
    }
  })

  async function tokenOfSystem() {
    const { realm_access: access } = tokens['clientCredentials']?.claims ?? {}
    const permissions = (access as { roles: string[] }).roles
    const details = { id: 'tfs-partner-dealer', partnerId: 'ptn_demo_dealer', permissions }
    const { secret } = await addPartnerClient(realm.store.db, { actor: 'test' }, details)
    const fields = { grant_type: 'client_credentials', client_id: details.id }
    return (await realm.post('token', { ...fields, client_secret: secret })).body
  }
})
