import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('amendContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  const proposer = () => host.as('uma', 'contract:update', 'contract:read')

  test('202 with a diff of terms and figures; the old plan stays in force (platform 4)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const asked = await proposer().post(`/contracts/${id}/changes`, {
      terms: { termMonths: 60 },
      reason: 'Longer term.',
    })
    expect(asked.status, asked.text).toBe(202)
    expect(asked.body.diff).toContainEqual({
      pointer: '/terms/termMonths',
      before: 48,
      after: 60,
    })
    expect(asked.body.diff.map(({ pointer }: { pointer: string }) => pointer)).toContain(
      '/instalment/amount',
    )
    expect((await proposer().get(`/contracts/${id}`)).body.terms.termMonths).toBe(48)
  })

  test('422 when nothing changes or a rule is broken; 400 for unknown members', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const propose = (body: object) => proposer().post(`/contracts/${id}/changes`, body)
    const same = await propose({ terms: { termMonths: 48 }, reason: 'Same.' })
    expect(same.body.errors).toMatchObject([{ code: 'NOTHING_CHANGES' }])
    const broken = await propose({ terms: { termMonths: 50, frequency: 'QUARTERLY' }, reason: 'R' })
    expect(broken).toMatchObject({ status: 422, code: 'RULE_VIOLATED' })
    const unknown = await propose({ terms: { termMonth: 50 }, reason: 'R' })
    expect(unknown.body.errors).toMatchObject([{ code: 'UNKNOWN_FIELD' }])
    const party = await propose({ partyId: 'pty_other', reason: 'R' })
    expect(party.body.errors, 'only terms and asset are amended').toMatchObject([
      { pointer: '/partyId', code: 'UNKNOWN_FIELD' },
    ])
  })

  test('409 INVALID_STATE for a draft, which is edited instead', async () => {
    const id = await contractIn(host, 'DRAFT', { partyId })
    const answer = await proposer().post(`/contracts/${id}/changes`, { reason: 'R' })
    expect(answer).toMatchObject({ status: 409, code: 'INVALID_STATE' })
  })
})
