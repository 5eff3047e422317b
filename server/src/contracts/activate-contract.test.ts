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

  test('409 FOUR_EYES_SAME_USER for creator, editor and submitter; the approver may activate (rule 14)', async () => {
    const draft = await createContract(
      host.as('paul', ...PREPARING),
      newContract(partyId, { draft: true }),
    )
    const path = `/contracts/${draft}`
    await host.as('eva', ...PREPARING).patch(path, { externalRef: 'E' }, { 'if-match': '*' })
    await host.as('sam', ...PREPARING).post(`${path}/submit`)
    await host.as('ana', 'contract:approve').post(`${path}/approve`)
    for (const name of ['paul', 'EVA', 'sam']) {
      const answer = await host.as(name, 'contract:activate').post(`${path}/activate`)
      expect(answer, name).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    }
    const bot = await host.as('service-account-x', 'contract:activate').post(`${path}/activate`)
    expect(bot).toMatchObject({ status: 403, code: 'HUMAN_APPROVER_REQUIRED' })
    const done = await host.as('ana', 'contract:activate').post(`${path}/activate`)
    expect(done.body, done.text).toMatchObject({ state: 'ACTIVE' })
  })

  test('today when no day is given; 400, 412 and a dry run leave it as it is (platform 4)', async () => {
    const path = `/contracts/${await approved()}`
    const ben = host.as('ben', 'contract:activate', 'contract:read')
    for (const [body, code] of [
      [{ activationDate: '2027-02-30' }, 'DATE_NOT_CALENDAR'],
      [{ activationDate: '1899-12-31' }, 'DATE_OUT_OF_RANGE'],
      [{ activationDate: 7 }, 'WRONG_TYPE'],
    ] as const) {
      const answer = await ben.post(`${path}/activate`, body)
      expect(answer.body.errors).toMatchObject([{ pointer: '/activationDate', code }])
    }
    const unknown = await ben.post(`${path}/activate`, { state: 'ACTIVE' })
    expect(unknown.body.errors).toMatchObject([{ pointer: '/state', code: 'UNKNOWN_FIELD' }])
    expect((await ben.post(`${path}/activate`, {}, { 'if-match': '"1"' })).status).toBe(412)
    const dry = await ben.post(`${path}/activate?dryRun=true`)
    expect(dry.body).toMatchObject({ dryRun: true, result: { state: 'ACTIVE' } })
    expect((await ben.get(path)).body).toMatchObject({ state: 'APPROVED', version: 2 })
    const done = await ben.post(`${path}/activate`, undefined, { 'if-match': '"2"' })
    expect(done.body).toMatchObject({
      ...{ state: 'ACTIVE', activationDate: new Date().toISOString().slice(0, 10) },
    })
  })
})
