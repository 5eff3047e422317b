import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'

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

  test('once approved the whole plan is restated, asset and figures as they were proposed (platform 4)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const asset = {
      ...{ category: 'CAR', description: 'Van', serialNumber: 'W-1' },
      price: { amount: '15000', currency: 'EUR' },
    }
    const terms = { financedAmount: { amount: '10000', currency: 'EUR' }, nominalRate: '3.5' }
    const asked = await succeeded(
      proposer().post(`/contracts/${id}/changes`, { terms, asset, reason: 'Restated.' }),
    )
    const before = (await proposer().get(`/contracts/${id}`)).body
    await succeeded(
      host.as('ana', 'contract:approve').post(`/contracts/${id}/changes/${asked.body.id}/approve`),
    )
    const { body } = await succeeded(proposer().get(`/contracts/${id}`))
    expect(body).toMatchObject({
      ...{ state: 'ACTIVE', version: before.version + 1, number: before.number },
      asset: { ...asset, price: { amount: '15000.00' } },
      terms: { ...before.terms, nominalRate: '3.5', financedAmount: { amount: '10000.00' } },
    })
    expect(body.approval.contentHash).not.toBe(before.approval.contentHash)
    const figure = asked.body.diff.find(
      ({ pointer }: { pointer: string }) => pointer === '/instalment/amount',
    )
    expect(figure).toMatchObject({
      ...{ before: before.instalment.amount, after: body.instalment.amount },
    })
    const without = await succeeded(
      proposer().post(`/contracts/${id}/changes`, { asset: null, reason: 'Sold.' }),
    )
    expect(without.body.diff).toContainEqual({
      ...{ pointer: '/asset/category', before: 'CAR', after: null },
    })
  })

  test('409 CHANGE_ALREADY_PENDING for a second one; 412 for another version; a dry run stores nothing', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const path = `/contracts/${id}/changes`
    const body = { terms: { termMonths: 60 }, reason: 'Longer.' }
    const old = await proposer().post(path, body, { 'if-match': '"1"' })
    expect(old).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
    const before = await tableDigests(host.store)
    await succeeded(proposer().post(`${path}?dryRun=true`, body))
    expect(await tableDigests(host.store)).toEqual(before)
    await succeeded(proposer().post(path, body, { 'if-match': '"3"' }))
    const second = await proposer().post(path, body)
    expect(second).toMatchObject({ status: 409, code: 'CHANGE_ALREADY_PENDING' })
    for (const move of ['settle', 'terminate']) {
      const ending = { reason: 'Over.', effectiveDate: '2027-03-31' }
      const answer = await host
        .as('tom', `contract:${move}`)
        .post(`/contracts/${id}/${move}`, ending)
      expect(answer.code, move).toBe('CHANGE_ALREADY_PENDING')
    }
  })

  test('202 for partner staff on their own deals, 404 on others (platform 3, rule 16)', async () => {
    const partnerId = await partnerNamed(host.db, 'AMENDS')
    const own = await contractIn(host, 'ACTIVE', { partyId, partnerId } as never)
    const foreign = await contractIn(host, 'ACTIVE', { partyId })
    const dealer = host.as('dora', { permissions: ['contract:update', 'contract:read'], partnerId })
    const body = { terms: { termMonths: 60 }, reason: 'Longer.' }
    const asked = await dealer.post(`/contracts/${own}/changes`, body)
    expect(asked.status, asked.text).toBe(202)
    expect((await dealer.get(`/contracts/${own}/changes/${asked.body.id}`)).status).toBe(200)
    const answer = await dealer.post(`/contracts/${foreign}/changes`, body)
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})
