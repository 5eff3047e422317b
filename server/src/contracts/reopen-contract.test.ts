import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('reopenContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  test('200: the draft is back, the approval void, its story kept (platform 4)', async () => {
    const id = await contractIn(host, 'APPROVED', { partyId })
    const clerk = host.as('clerk', 'contract:create', 'contract:read')
    const reopened = await clerk.post(`/contracts/${id}/reopen`, { reason: 'Wrong rate.' })
    expect(reopened.status, reopened.text).toBe(200)
    expect(reopened.body).toMatchObject({ state: 'DRAFT', approval: { status: 'NOT_SUBMITTED' } })
    expect(reopened.body.approval.decisions).toMatchObject([{ decision: 'APPROVED' }])
    const again = await host.as('ana', 'contract:approve').post(`/contracts/${id}/approve`)
    expect(again, 'a reopened draft was not submitted').toMatchObject({
      status: 409,
      code: 'INVALID_STATE',
    })
  })

  test('the former approver who edits the reopened draft has become a preparer (rule 14)', async () => {
    const id = await contractIn(host, 'APPROVED', { partyId })
    const ana = host.as('ana', 'contract:create', 'contract:update', 'contract:approve')
    await ana.post(`/contracts/${id}/reopen`, { reason: 'Wrong rate.' })
    await ana.patch(`/contracts/${id}`, { terms: { nominalRate: '5' } }, { 'if-match': '*' })
    await ana.post(`/contracts/${id}/submit`)
    expect(await ana.post(`/contracts/${id}/approve`)).toMatchObject({
      status: 409,
      code: 'FOUR_EYES_SAME_USER',
    })
  })

  test('409 INVALID_STATE from any state but APPROVED; 400 without a reason', async () => {
    const clerk = host.as('clerk', 'contract:create')
    for (const state of ['DRAFT', 'PENDING_APPROVAL', 'ACTIVE', 'WITHDRAWN'] as const) {
      const id = await contractIn(host, state, { partyId })
      const answer = await clerk.post(`/contracts/${id}/reopen`, { reason: 'No.' })
      expect(answer.code, state).toBe('INVALID_STATE')
    }
    const id = await contractIn(host, 'APPROVED', { partyId })
    expect(await clerk.post(`/contracts/${id}/reopen`, {})).toMatchObject({ status: 400 })
  })
})
