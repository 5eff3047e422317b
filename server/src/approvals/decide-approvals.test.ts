import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('decideApprovals on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const waiting = async () => {
    const paul = host.as('paul', ...PREPARING)
    const partyId = await createParty(paul, {
      type: 'PERSON',
      person: { firstName: 'Clara', lastName: 'Sommer' },
      allowDuplicate: true,
    })
    return await createContract(paul, newContract(partyId))
  }
  const approve = (id: string, version = 1) => ({
    kind: 'CONTRACT',
    id,
    decision: 'APPROVE',
    version,
  })

  test('a result per item: what is refused takes nothing else with it (platform 4)', async () => {
    const [good, stale] = [await waiting(), await waiting()]
    const ana = host.as('ana', 'contract:approve')
    const answer = await ana.post('/approvals/decisions', {
      decisions: [approve(good), approve(stale, 5), approve(good), approve('ctr_none')],
    })
    expect(answer.body.results, answer.text).toMatchObject([
      { status: 200 },
      { status: 412, code: 'VERSION_CONFLICT' },
      { status: 409, code: 'ALREADY_DECIDED' },
      { status: 404, code: 'NOT_FOUND' },
    ])
    expect((await ana.get(`/contracts/${stale}`)).body.state).toBe('PENDING_APPROVAL')
  })

  test('four-eyes, reasons and permissions hold for each item (rule 14)', async () => {
    const id = await waiting()
    const own = await host
      .as('paul', 'contract:approve')
      .post('/approvals/decisions', { decisions: [approve(id)] })
    expect(own.body.results).toMatchObject([{ status: 409, code: 'FOUR_EYES_SAME_USER' }])
    const silent = await host.as('ana', 'contract:approve').post('/approvals/decisions', {
      decisions: [{ ...approve(id), decision: 'REJECT' }],
    })
    expect(silent.body.results).toMatchObject([{ status: 400, code: 'VALIDATION_FAILED' }])
    const other = await host
      .as('ana', 'party:approve')
      .post('/approvals/decisions', { decisions: [approve(id)] })
    expect(other.body.results).toMatchObject([{ status: 403, code: 'PERMISSION_MISSING' }])
  })

  test('dryRun=true tells what would happen and stores nothing', async () => {
    const id = await waiting()
    const ana = host.as('ana', 'contract:approve')
    const preflight = await ana.post('/approvals/decisions?dryRun=true', {
      decisions: [approve(id)],
    })
    expect(preflight.body).toMatchObject({ dryRun: true, result: { results: [{ status: 200 }] } })
    expect((await ana.get(`/contracts/${id}`)).body.state).toBe('PENDING_APPROVAL')
  })

  test('400 for none and for more than 100 decisions', async () => {
    const ana = host.as('ana', 'contract:approve')
    for (const count of [0, 101]) {
      const decisions = Array.from({ length: count }, () => approve('ctr_x'))
      expect((await ana.post('/approvals/decisions', { decisions })).status, `${count}`).toBe(400)
    }
  })
})
