import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../../server/test/problems.ts'
import { accountOf, grantPermission, removePermission, setEnabled } from './accounts.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { impersonatedTokens } from './impersonation.ts'
import { type Platform, preparedBy, startPlatform } from './platform.ts'
import { CONSOLE } from './recordings.ts'
import type { Keycloak } from './server.ts'
import { passwordGrant, refreshGrant, requireAccessToken } from './tokens.ts'

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

test('a disabled user keeps the token that is out and gets no other; enabled again, one more', async () => {
  const { body } = await passwordGrant(keycloak, 'auditor')
  const client = platform.bearing(body.access_token ?? '')
  await setEnabled(keycloak.admin, 'auditor', false)
  expect((await client.get('/me')).status).toBe(200)
  expect((await refreshGrant(keycloak, body.refresh_token)).body.error).toBe('invalid_grant')
  expect((await passwordGrant(keycloak, 'auditor')).body.error).toBe('invalid_grant')
  await setEnabled(keycloak.admin, 'auditor', true)
  expect((await (await platform.as('auditor')).get('/me')).status).toBe(200)
})

test('403 with the next token for a permission that was taken away, refreshed ones included (spec 5.5.2)', async () => {
  const id = await preparedBy(await platform.as('preparer'))
  const { body } = await passwordGrant(keycloak, 'approver')
  const approve = `/contracts/${id}/approve`
  await removePermission(keycloak.admin, 'approver', 'contract:approve')
  const next = await refreshGrant(keycloak, body.refresh_token)
  for (const client of [
    platform.bearing(requireAccessToken(next)),
    await platform.as('approver'),
  ]) {
    const answer = await client.post(approve)
    expectProblem(answer, 403, 'PERMISSION_MISSING')
    expect(answer.body.requiredPermission).toBe('contract:approve')
  }
  await grantPermission(keycloak.admin, 'approver', 'contract:approve')
  expect((await (await platform.as('approver')).post(approve)).status).toBe(200)
})

test('a permission that was given is there with the next token, and not before', async () => {
  const client = await platform.as('auditor')
  await grantPermission(keycloak.admin, 'auditor', 'contract:approve')
  const permissionsOf = async (of: typeof client) => (await of.get('/me')).body.permissions
  expect(await permissionsOf(client)).not.toContain('contract:approve')
  expect(await permissionsOf(await platform.as('auditor'))).toContain('contract:approve')
  await removePermission(keycloak.admin, 'auditor', 'contract:approve')
})

test('a party that an administrator links is the one whose contracts are read', async () => {
  const account = await accountOf(keycloak.admin, 'customer2')
  const listed = async (): Promise<string[]> => {
    const { body } = await (await platform.as('customer2')).get('/my/contracts')
    return body.items.map((contract: { id: string }) => contract.id)
  }
  const before = await listed()
  const attributes = { partyId: ['pty_demo_customer'] }
  await keycloak.admin('PUT', `/users/${account.id}`, { ...account, attributes })
  const after = await listed()
  expect(after.length).toBeGreaterThan(0)
  expect(after.filter((id) => before.includes(id))).toEqual([])
  await keycloak.admin('PUT', `/users/${account.id}`, account)
})

describe('an administrator who impersonates a user', () => {
  async function impersonating(username: string) {
    const tokens = await impersonatedTokens(keycloak, username, CONSOLE)
    return { tokens, client: platform.bearing(requireAccessToken(tokens)) }
  }

  test('reads what the user reads, and /me says that it is impersonation', async () => {
    const id = await preparedBy(await platform.as('preparer'))
    const { client } = await impersonating('approver')
    const me = await client.get('/me')
    expect(me.body).toMatchObject({ username: 'approver', impersonated: true })
    expect(me.body.permissions).toContain('contract:approve')
    expect((await client.get(`/contracts/${id}`)).status).toBe(200)
    const { client: asCustomer } = await impersonating('customer')
    expect((await asCustomer.get('/my/contracts')).status).toBe(200)
  })

  test('403 IMPERSONATION_READ_ONLY on every command, and nothing changes', async () => {
    const id = await preparedBy(await platform.as('preparer'))
    const { client } = await impersonating('chief')
    const commands: [string, object | undefined][] = [
      [`/contracts/${id}/approve`, undefined],
      [`/contracts/${id}/reject`, { reason: 'No.' }],
      [`/contracts/${id}/withdraw`, { reason: 'No.' }],
      ['/contracts', {}],
      ['/parties', {}],
    ]
    for (const [path, body] of commands) {
      expectProblem(await client.post(path, body), 403, 'IMPERSONATION_READ_ONLY', path)
    }
    expect((await client.get(`/contracts/${id}`)).body).toMatchObject({
      state: 'PENDING_APPROVAL',
      version: 1,
    })
  })

  test('403 after a refresh too; the user’s own session at the same time may', async () => {
    const id = await preparedBy(await platform.as('preparer'))
    const { tokens } = await impersonating('approver')
    const refreshed = await refreshGrant(keycloak, tokens.body.refresh_token)
    const client = platform.bearing(requireAccessToken(refreshed))
    const approve = `/contracts/${id}/approve`
    expectProblem(await client.post(approve), 403, 'IMPERSONATION_READ_ONLY')
    expect((await (await platform.as('approver')).post(approve)).status).toBe(200)
  })
})
