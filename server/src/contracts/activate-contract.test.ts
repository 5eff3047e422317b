import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('the later life of a contract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  const approved = async () => {
    const id = await createContract(host.as('paul', ...PREPARING), newContract(partyId))
    await host.as('ana', 'contract:approve').post(`/contracts/${id}/approve`)
    return id
  }
  const active = async () => {
    const id = await approved()
    const answer = await host.as('ana', 'contract:activate').post(`/contracts/${id}/activate`)
    expect(answer.text).toContain('"state":"ACTIVE"')
    return id
  }

  test('200 when someone else activates; 409 FOUR_EYES_SAME_USER for a preparer', async () => {
    const id = await approved()
    const own = await host.as('paul', 'contract:activate').post(`/contracts/${id}/activate`)
    expect(own).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    const other = await host
      .as('ben', 'contract:activate')
      .post(`/contracts/${id}/activate`, { activationDate: '2026-12-01' })
    expect(other.body).toMatchObject({ state: 'ACTIVE', activationDate: '2026-12-01', version: 3 })
  })

  test('an amendment waits, the old plan stays in force, and another person approves it', async () => {
    const id = await active()
    const proposer = host.as('uma', 'contract:update', 'contract:read')
    const proposed = await proposer.post(`/contracts/${id}/changes`, {
      terms: { termMonths: 60 },
      reason: 'Longer term agreed.',
    })
    expect(proposed.text).toContain('"kind":"AMENDMENT"')
    expect(proposed.status).toBe(202)
    const before = await proposer.get(`/contracts/${id}`)
    expect(before.body).toMatchObject({ flags: ['CHANGE_PENDING'], terms: { termMonths: 48 } })
    const change = `/contracts/${id}/changes/${proposed.body.id}`
    const own = await host.as('uma', 'contract:approve').post(`${change}/approve`)
    expect(own).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    const done = await host.as('paul', 'contract:approve').post(`${change}/approve`)
    expect(done.text).toContain('"state":"APPROVED"')
    const after = await proposer.get(`/contracts/${id}`)
    expect(after.body).toMatchObject({ flags: [], state: 'ACTIVE', terms: { termMonths: 60 } })
    const past = await proposer.get(`/contracts/${id}?version=3`)
    expect(past.body.terms.termMonths).toBe(48)
    const compared = await proposer.get(`/contracts/${id}/versions?from=3&to=4`)
    expect(compared.body.diff).toContainEqual({
      pointer: '/terms/termMonths',
      before: 48,
      after: 60,
    })
    const history = await proposer.get(`/contracts/${id}/history`)
    expect(history.body.items.map((entry: { event: string }) => entry.event)).toEqual([
      'SUBMITTED',
      'APPROVED',
      'ACTIVATED',
      'CHANGE_PROPOSED',
      'REFUSED',
      'AMENDED',
    ])
  })

  test('a termination moves the contract when approved, and nothing moves it twice', async () => {
    const id = await active()
    const proposed = await host
      .as('tom', 'contract:terminate')
      .post(`/contracts/${id}/terminate`, { reason: 'Sold.', effectiveDate: '2027-03-31' })
    expect(proposed.status).toBe(202)
    const second = await host
      .as('tim', 'contract:settle')
      .post(`/contracts/${id}/settle`, { reason: 'Paid.', effectiveDate: '2027-03-31' })
    expect(second).toMatchObject({ status: 409, code: 'CHANGE_ALREADY_PENDING' })
    const done = await host
      .as('ana', 'contract:approve')
      .post(`/contracts/${id}/changes/${proposed.body.id}/approve`)
    expect(done.status).toBe(200)
    const after = await host.as('ana', 'contract:read').get(`/contracts/${id}`)
    expect(after.body).toMatchObject({ state: 'TERMINATED', effectiveDate: '2027-03-31' })
  })
})
