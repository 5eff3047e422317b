import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('partners on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('suspended at once, resumed by two', async () => {
    const staff = host.as('paul', 'partner:create', 'partner:read', 'partner:update')
    const made = await staff.post('/partners', {
      code: 'NORD-1',
      name: 'Nord',
      kind: 'DEALER',
      bankAccount: { iban: 'DE89370400440532013000', holder: 'Nord' },
    })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({ state: 'ACTIVE', pendingChanges: [{ kind: 'PARTNER' }] })
    const path = `/partners/${made.body.id}`
    const approver = host.as('ana', 'partner:approve')
    const account = await approver.post(`${path}/changes/${made.body.pendingChanges[0].id}/approve`)
    expect(account.status, account.text).toBe(200)
    const suspended = await staff.post(`${path}/suspend`, { reason: 'Complaints.' })
    expect(suspended.body, suspended.text).toMatchObject({ state: 'SUSPENDED' })
    const asked = await staff.post(`${path}/resume`, { reason: 'Resolved.' })
    expect(asked.status, asked.text).toBe(202)
    const done = await approver.post(`${path}/changes/${asked.body.id}/approve`)
    expect(done.status, done.text).toBe(200)
    const partner = await staff.get(path)
    expect(partner.body).toMatchObject({
      state: 'ACTIVE',
      bankAccount: { iban: 'DE89**************3000' },
    })
  })
})
