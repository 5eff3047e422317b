import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('readSchedule on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  test('200 with rows that sum exactly and end at zero, marked by plan (platform 6)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const answer = await host.as('reader', 'contract:read').get(`/contracts/${id}/schedule`)
    expect(answer.status, answer.text).toBe(200)
    const { rows, byPlan } = answer.body
    expect(byPlan).toBe(true)
    expect(rows).toHaveLength(48)
    const cents = (amount: string) => BigInt(amount.replace('.', ''))
    const principal = rows.reduce(
      (sum: bigint, row: { principal: { amount: string } }) => sum + cents(row.principal.amount),
      0n,
    )
    expect(principal).toBe(1_250_000n)
    expect(rows.at(-1)).toMatchObject({ no: 48, balanceAfter: { amount: '0.00' } })
    expect(rows.slice(0, 3).map(({ dueDate }: { dueDate: string }) => dueDate)).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ])
  })

  test('404 for a foreign contract, the same as for an unknown one (rule 16)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const stranger = host.as('c', { permissions: ['contract:read'], partyId: 'pty_other' })
    const [foreign, unknown] = [
      await stranger.get(`/contracts/${id}/schedule`),
      await stranger.get('/contracts/ctr_none/schedule'),
    ]
    expect([foreign.status, foreign.body.detail]).toEqual([404, unknown.body.detail])
  })
})
