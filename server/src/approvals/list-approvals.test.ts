import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

interface Item {
  id: string
  own: boolean
  kind: string
  canDecide: { seen30Days: number }
}

describe.each(STORE_KINDS)('the work queue on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  test('what waits stands oldest first, one’s own marked, and moves to "decided"', async () => {
    const paul = host.as('paul', ...PREPARING, 'contract:approve', 'party:update')
    const ana = host.as('ana', 'contract:approve', 'party:approve')
    const first = await createContract(paul, newContract(partyId))
    const second = await createContract(paul, newContract(partyId))
    const change = await paul.patch(
      `/parties/${partyId}`,
      { email: 'c@example.org' },
      { 'if-match': '*' },
    )
    const queue = await ana.get('/approvals')
    expect(queue.status, queue.text).toBe(200)
    expect(queue.body.items.map((item: Item) => item.id)).toEqual([first, second, change.body.id])
    const own = await paul.get('/approvals?view=decide')
    expect(own.body.items.map((item: Item) => item.own)).toEqual([true, true])
    const mine = await paul.get('/approvals?view=mine')
    expect(mine.body.items).toHaveLength(3)

    const decisions = [
      { kind: 'CONTRACT', id: first, decision: 'APPROVE', version: 1 },
      { kind: 'CONTRACT', id: second, decision: 'RETURN', version: 7, reason: 'Why?' },
      { kind: 'CHANGE', id: change.body.id, decision: 'APPROVE', version: 1 },
      { kind: 'CONTRACT', id: 'ctr_none', decision: 'APPROVE', version: 1 },
    ]
    const preflight = await ana.post('/approvals/decisions?dryRun=true', { decisions })
    expect(preflight.status, preflight.text).toBe(200)
    const results = [
      { id: first, status: 200 },
      { id: second, status: 412, code: 'VERSION_CONFLICT' },
      { id: change.body.id, status: 200 },
      { id: 'ctr_none', status: 404, code: 'NOT_FOUND' },
    ]
    expect(preflight.body.result.results).toMatchObject(results)
    const done = await ana.post('/approvals/decisions', { decisions })
    expect(done.body.results).toMatchObject(results)
    const own2 = await paul.post('/approvals/decisions', {
      decisions: [{ kind: 'CONTRACT', id: second, decision: 'APPROVE', version: 1 }],
    })
    expect(own2.body.results).toMatchObject([{ status: 409, code: 'FOUR_EYES_SAME_USER' }])
    const decided = await ana.get('/approvals?view=decided')
    expect(decided.body.items.map((item: Item) => item.id).sort()).toEqual(
      [first, change.body.id].sort(),
    )
    await ana.post(`/contracts/${second}/return`, { reason: 'Why?' })
    const returned = await paul.get('/approvals?view=returned')
    expect(returned.body.items.map((item: Item) => item.id)).toEqual([second])
  })
})
