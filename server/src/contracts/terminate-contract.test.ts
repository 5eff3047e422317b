import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('terminateContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  const body = { reason: 'Agreed.', effectiveDate: '2027-03-31' }
  const proposer = () => host.as('tom', 'contract:terminate', 'contract:read', 'contract:approve')

  test('202 with the pending change; the contract moves when another approves (platform 4)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const asked = await proposer().post(`/contracts/${id}/terminate`, body)
    expect(asked.status, asked.text).toBe(202)
    expect(asked.body).toMatchObject({
      kind: 'TERMINATION',
      state: 'PENDING',
      diff: [
        { pointer: '/state', before: 'ACTIVE', after: 'TERMINATED' },
        { pointer: '/effectiveDate', before: null, after: '2027-03-31' },
      ],
    })
    expect(asked.headers.get('location')).toBe(`/api/v1/contracts/${id}/changes/${asked.body.id}`)
    const waiting = await proposer().get(`/contracts/${id}`)
    expect(waiting.body).toMatchObject({ state: 'ACTIVE', flags: ['CHANGE_PENDING'] })
    const change = `/contracts/${id}/changes/${asked.body.id}`
    expect(await proposer().post(`${change}/approve`)).toMatchObject({
      status: 409,
      code: 'FOUR_EYES_SAME_USER',
    })
    const done = await host.as('ana', 'contract:approve').post(`${change}/approve`)
    expect(done.status, done.text).toBe(200)
    const ended = await proposer().get(`/contracts/${id}`)
    expect(ended.body).toMatchObject({
      state: 'TERMINATED',
      effectiveDate: '2027-03-31',
      flags: [],
    })
  })

  test('409 from any state but ACTIVE, and while another change waits', async () => {
    const pending = await contractIn(host, 'PENDING_APPROVAL', { partyId })
    expect((await proposer().post(`/contracts/${pending}/terminate`, body)).code).toBe(
      'INVALID_STATE',
    )
    const id = await contractIn(host, 'ACTIVE', { partyId })
    await proposer().post(`/contracts/${id}/terminate`, body)
    const second = await proposer().post(`/contracts/${id}/terminate`, body)
    expect(second).toMatchObject({ status: 409, code: 'CHANGE_ALREADY_PENDING' })
  })

  test('400 for a day that does not exist and for a missing reason', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const wrong = await proposer().post(`/contracts/${id}/terminate`, {
      ...body,
      effectiveDate: '2027-02-30',
    })
    expect(wrong.body.errors).toMatchObject([
      { pointer: '/effectiveDate', code: 'DATE_NOT_CALENDAR' },
    ])
    const silent = await proposer().post(`/contracts/${id}/terminate`, {
      effectiveDate: '2027-02-28',
    })
    expect(silent.body.errors).toMatchObject([{ pointer: '/reason', code: 'REQUIRED' }])
  })
})
