import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, SITUATIONS, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { testReason } from '../../test/reasoned-move.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'

const LIVE = ['DRAFT', 'RETURNED', 'PENDING_APPROVAL', 'APPROVED'] as const

describe.each(STORE_KINDS)('withdrawContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const reason = 'The customer changed her mind.'

  testReason({
    move: 'withdraw',
    permission: 'contract:create',
    from: 'PENDING_APPROVAL',
    host: () => host,
    partyId: () => partyId,
  })

  test.each(LIVE)(
    '200 from %s, by the preparer and by anyone else with the permission',
    async (from) => {
      for (const name of ['paul', 'eva']) {
        const id = await contractIn(host, from, { partyId })
        const before = (await paul().get(`/contracts/${id}`)).body
        const answer = await host
          .as(name, ...PREPARING)
          .post(`/contracts/${id}/withdraw`, { reason })
        expect(answer.status).toBe(200)
        expect(answer.body).toMatchObject({ state: 'WITHDRAWN', version: before.version + 1 })
        expect(answer.body.approval).toEqual({ ...before.approval, status: 'WITHDRAWN' })
        expect(answer.body.updatedBy.username).toBe(name)
        expect(answer.body).not.toHaveProperty('nextDueDate')
      }
    },
  )

  test('the reason is kept in the audit trail', async () => {
    const id = await contractIn(host, 'DRAFT', { partyId })
    await succeeded(paul().post(`/contracts/${id}/withdraw`, { reason }))
    const entry = await host.db.read({ rows: 'ALL' }, (read) =>
      read.one<{ diff: unknown[] }>(sql`
        select diff from audit_entry where item_id = ${id} and action = 'contract.withdrawn'`),
    )
    expect(entry.diff).toContainEqual({ pointer: '/reason', before: null, after: reason })
  })

  test('409 INVALID_STATE from every other state, naming the states that allow it', async () => {
    for (const situation of SITUATIONS) {
      if ((LIVE as readonly string[]).includes(situation)) continue
      const id = await contractIn(host, situation, { partyId })
      const answer = await paul().post(`/contracts/${id}/withdraw`, { reason })
      expect(answer, situation).toMatchObject({ status: 409, code: 'INVALID_STATE' })
      expect(answer.body).toMatchObject({
        state: situation,
        allowedStates: ['DRAFT', 'PENDING_APPROVAL', 'APPROVED'],
      })
    }
  })
})
