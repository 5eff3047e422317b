import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../server/test/client.ts'
import { expectProblem } from '../../server/test/problems.ts'
import { accountOf, createAccount, grantPermission, removePermission } from './accounts.ts'
import { borrowKeycloak } from './borrowed-keycloak.ts'
import { type Platform, preparedBy, startPlatform } from './platform.ts'
import type { Keycloak } from './server.ts'
import {
  accessTokenOf,
  claimsOf,
  partnerAccessToken,
  passwordGrant,
  requireAccessToken,
} from './tokens.ts'

const BOTH = ['contract:create', 'contract:read', 'contract:approve']

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

async function expectSameUser(client: Client, id: string): Promise<void> {
  for (const [decision, body] of [
    ['approve', undefined],
    ['reject', { reason: 'No.' }],
    ['return', { reason: 'No.' }],
  ] as const) {
    const answer = await client.post(`/contracts/${id}/${decision}`, body)
    expectProblem(answer, 409, 'FOUR_EYES_SAME_USER', decision)
  }
  expect((await client.get(`/contracts/${id}`)).body.state).toBe('PENDING_APPROVAL')
}

async function newAccount(username: string): Promise<void> {
  await createAccount(keycloak.admin, { username, password: username, permissions: BOTH })
}

describe('one prepares, another approves', () => {
  test('200 for approver on what preparer prepared, and both are named (spec 1.2, spec 4.2)', async () => {
    const id = await preparedBy(await platform.as('preparer'))
    const { status, body } = await (await platform.as('approver')).post(`/contracts/${id}/approve`)
    expect([status, body.state]).toEqual([200, 'APPROVED'])
    expect(body.approval.preparedBy).toMatchObject([{ username: 'preparer' }])
    expect(body.approval.decisions).toMatchObject([
      { decision: 'APPROVED', by: { username: 'approver' }, version: 1 },
    ])
  })

  test('409 for chief, who holds every permission, on the own contract (spec 5.5.4, spec 7.1)', async () => {
    const chief = await platform.as('chief')
    const id = await preparedBy(chief)
    const answer = await chief.post(`/contracts/${id}/approve`)
    expectProblem(answer, 409, 'FOUR_EYES_SAME_USER')
    expect(answer.body.preparedBy.username).toBe('chief')
    await expectSameUser(chief, id)
    expect((await (await platform.as('approver')).post(`/contracts/${id}/approve`)).status).toBe(
      200,
    )
  })

  test('409 for chief on the demo contract that was told as chief’s (spec 5.5.4)', async () => {
    const chief = await platform.as('chief')
    const { body } = await chief.get('/contracts?state=PENDING_APPROVAL&preparedBy=chief')
    await expectSameUser(chief, body.items[0].id)
  })
})

describe('409 FOUR_EYES_SAME_USER for the same user', () => {
  test('in another session (spec 5.5.4)', async () => {
    const first = await accessTokenOf(keycloak, 'chief')
    const second = await accessTokenOf(keycloak, 'chief')
    expect(claimsOf(first)['sid']).not.toBe(claimsOf(second)['sid'])
    await expectSameUser(platform.bearing(second), await preparedBy(platform.bearing(first)))
  })

  test('after an administrator renamed the account: the subject stays', async () => {
    await newAccount('nina')
    const id = await preparedBy(await platform.as('nina'))
    const account = await accountOf(keycloak.admin, 'nina')
    await keycloak.admin('PUT', '', { editUsernameAllowed: true })
    await keycloak.admin('PUT', `/users/${account.id}`, { ...account, username: 'nina.new' })
    const tokens = await passwordGrant(keycloak, 'nina.new', 'nina')
    const renamed = platform.bearing(requireAccessToken(tokens))
    expect((await renamed.get('/me')).body.username).toBe('nina.new')
    await expectSameUser(renamed, id)
    await keycloak.admin('PUT', '', { editUsernameAllowed: false })
  })

  test('after the account was made anew: the name stays', async () => {
    await newAccount('omar')
    const token = await accessTokenOf(keycloak, 'omar')
    const id = await preparedBy(platform.bearing(token))
    await keycloak.admin('DELETE', `/users/${claimsOf(token)['sub']}`)
    await newAccount('omar')
    const again = await accessTokenOf(keycloak, 'omar')
    expect(claimsOf(again)['sub']).not.toBe(claimsOf(token)['sub'])
    await expectSameUser(platform.bearing(again), id)
  })
})

describe('a partner’s own system (client credentials)', () => {
  test('prepares for its partner; staff approve it', async () => {
    const system = platform.bearing(await partnerAccessToken(keycloak))
    const id = await preparedBy(system)
    expect((await system.get(`/contracts/${id}`)).body.partnerId).toBe('ptn_demo_dealer')
    const approved = await (await platform.as('approver')).post(`/contracts/${id}/approve`)
    expect([approved.status, approved.body.state]).toEqual([200, 'APPROVED'])
  })

  test('403 PERMISSION_MISSING on approve, and HUMAN_APPROVER_REQUIRED even with the permission', async () => {
    const account = 'service-account-tfs-partner-dealer'
    const id = await preparedBy(await platform.as('dealer'))
    const approve = `/contracts/${id}/approve`
    const plain = platform.bearing(await partnerAccessToken(keycloak))
    expectProblem(await plain.post(approve), 403, 'PERMISSION_MISSING')

    await grantPermission(keycloak.admin, account, 'contract:approve')
    try {
      const system = platform.bearing(await partnerAccessToken(keycloak))
      expect((await system.get('/me')).body.permissions).toContain('contract:approve')
      expectProblem(await system.post(approve), 403, 'HUMAN_APPROVER_REQUIRED')
      expectProblem(
        await system.post(`/contracts/${await preparedBy(system)}/approve`),
        409,
        'FOUR_EYES_SAME_USER',
      )
    } finally {
      await removePermission(keycloak.admin, account, 'contract:approve')
    }
  })
})
