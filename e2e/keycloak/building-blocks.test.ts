import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountOf,
  createAccount,
  grantPermission,
  removePermission,
  setEnabled,
} from './accounts.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { impersonatedTokens } from './impersonation.ts'
import { CONSOLE } from './recordings.ts'
import type { Keycloak } from './server.ts'
import {
  accessTokenOf,
  claimsOf,
  passwordGrant,
  refreshGrant,
  requireAccessToken,
} from './tokens.ts'

let keycloak: Keycloak

beforeAll(async () => {
  keycloak = await borrowKeycloak('demo')
})

afterAll(async () => {
  await keycloak?.close()
})

function rolesOf(token: string): string[] {
  return (claimsOf(token)['realm_access'] as { roles: string[] }).roles
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [a = 0, b = 0] = version.split('.').map(Number)
  return a > major || (a === major && b >= minor)
}

describe('an impersonated session', () => {
  test('is visible in the access token: as `impersonator`, since 26.8 as `act` too', async () => {
    const tokens = await impersonatedTokens(keycloak, 'approver', CONSOLE)
    const claims = claimsOf(requireAccessToken(tokens))
    expect(claims).toMatchObject({
      preferred_username: 'approver',
      impersonator: { id: expect.any(String), username: expect.any(String) },
    })
    const { id, username } = claims['impersonator'] as { id: string; username: string }
    const actor = { sub: id, preferred_username: username }
    expect(claims['act']).toEqual(isAtLeast(keycloak.version, 26, 8) ? actor : undefined)
  })

  test('stays visible after a refresh', async () => {
    const { body } = await impersonatedTokens(keycloak, 'approver', CONSOLE)
    const refreshed = await refreshGrant(keycloak, body.refresh_token)
    expect(claimsOf(requireAccessToken(refreshed))).toHaveProperty('impersonator.id')
  })

  test('is not claimed of a session of the user’s own', async () => {
    const claims = claimsOf(await accessTokenOf(keycloak, 'approver'))
    expect(claims).not.toHaveProperty('impersonator')
    expect(claims).not.toHaveProperty('act')
  })
})

describe('accounts', () => {
  test('a disabled user gets no token and no refresh, an enabled one does again', async () => {
    const { body } = await passwordGrant(keycloak, 'auditor')
    await setEnabled(keycloak.admin, 'auditor', false)
    expect((await passwordGrant(keycloak, 'auditor')).body.error).toBe('invalid_grant')
    expect((await refreshGrant(keycloak, body.refresh_token)).body.error).toBe('invalid_grant')
    await setEnabled(keycloak.admin, 'auditor', true)
    expect((await passwordGrant(keycloak, 'auditor')).status).toBe(200)
  })

  test('a disabled customer keeps the partyId when enabled again', async () => {
    await setEnabled(keycloak.admin, 'customer', false)
    await setEnabled(keycloak.admin, 'customer', true)
    const claims = claimsOf(await accessTokenOf(keycloak, 'customer'))
    expect(claims['partyId']).toBe('pty_demo_customer')
  })

  test('a removed permission is missing from the next token, refreshed ones included', async () => {
    const { body } = await passwordGrant(keycloak, 'approver')
    expect(rolesOf(body.access_token ?? '')).toContain('contract:approve')
    await removePermission(keycloak.admin, 'approver', 'contract:approve')
    const refreshed = await refreshGrant(keycloak, body.refresh_token)
    expect(rolesOf(requireAccessToken(refreshed))).not.toContain('contract:approve')
    await grantPermission(keycloak.admin, 'approver', 'contract:approve')
    expect(rolesOf(await accessTokenOf(keycloak, 'approver'))).toContain('contract:approve')
  })

  test('a new account has its permissions and partyId, and no undeclared attribute', async () => {
    await createAccount(keycloak.admin, {
      username: 'newcomer',
      password: 'newcomer',
      permissions: ['my:read'],
      attributes: { partyId: ['pty_new'], undeclared: ['x'] },
    })
    const account = await accountOf(keycloak.admin, 'newcomer')
    expect(account['attributes']).toEqual({ partyId: ['pty_new'] })
    const token = await accessTokenOf(keycloak, 'newcomer')
    expect(claimsOf(token)['partyId']).toBe('pty_new')
    expect(rolesOf(token)).toEqual(['my:read'])
  })
})
