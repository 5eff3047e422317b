import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, partnerNamed } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('listVersions on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  test('every version with who, when and why; two of them compared (platform 4)', async () => {
    const id = await contractIn(host, 'RETURNED', { partyId })
    const paul = host.as('paul', ...PREPARING)
    await paul.patch(`/contracts/${id}`, { terms: { nominalRate: '5.5' } }, { 'if-match': '*' })
    const list = await paul.get(`/contracts/${id}/versions`)
    expect(list.status, list.text).toBe(200)
    expect(list.body.items).toMatchObject([
      { version: 1, state: 'PENDING_APPROVAL', by: { username: 'paul' }, reason: null },
      { version: 2, state: 'DRAFT', by: { username: 'ana' }, reason: 'So it is.' },
      { version: 3, state: 'DRAFT', by: { username: 'paul' } },
    ])
    expect(list.body.diff).toBeUndefined()
    const compared = await paul.get(`/contracts/${id}/versions?from=1&to=3`)
    expect(compared.body.diff).toContainEqual({
      pointer: '/terms/nominalRate',
      before: '4.9',
      after: '5.5',
    })
    const past = await paul.get(`/contracts/${id}?version=1`)
    expect(past.body).toMatchObject({ version: 1, terms: { nominalRate: '4.9' } })
  })

  test('internal notes and commission stay hidden from those who may not see them', async () => {
    const content = {
      partyId,
      internalNote: 'Marked.',
      commission: { amount: '7.00', currency: 'EUR' },
    }
    const id = await contractIn(host, 'PENDING_APPROVAL', content)
    const customer = host.as('customer', { permissions: ['contract:read'], partyId })
    const seen = await customer.get(`/contracts/${id}/versions?from=1&to=1`)
    expect(seen.status).toBe(200)
    const past = await customer.get(`/contracts/${id}?version=1`)
    expect(seen.text + past.text).not.toMatch(/Marked|"7\.00"/)
  })

  test('400 for a version that does not exist in a comparison, 404 when it is read', async () => {
    const id = await contractIn(host, 'DRAFT', { partyId })
    const paul = host.as('paul', ...PREPARING)
    const answer = await paul.get(`/contracts/${id}/versions?from=1&to=9`)
    expect(answer.body.errors).toMatchObject([{ pointer: '/query/to', code: 'UNKNOWN' }])
    expect((await paul.get(`/contracts/${id}?version=9`)).status).toBe(404)
  })

  test('what can be done with a past version is what can be done now (platform 4)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const eva = host.as('eva', 'contract:read', 'contract:approve', 'contract:settle')
    const now = await eva.get(`/contracts/${id}`)
    for (const version of [1, 2, 3]) {
      const past = await eva.get(`/contracts/${id}?version=${version}`)
      expect(past.body).toMatchObject({ version, actions: now.body.actions })
    }
    expect((await eva.get(`/contracts/${id}?version=1`)).body.state).toBe('PENDING_APPROVAL')
    for (const version of ['0', '-1', 'x', '1.5', '1000001'])
      expect((await eva.get(`/contracts/${id}?version=${version}`)).status, version).toBe(400)
  })

  test('a partner compares its own commission, never the note of the house (platform 3)', async () => {
    const partnerId = await partnerNamed(host.db, 'VERSIONS')
    const content = {
      ...{ partyId, partnerId, internalNote: 'First secret.' },
      commission: { amount: '7.00', currency: 'EUR' },
    }
    const id = await contractIn(host, 'DRAFT', content)
    const patch = {
      internalNote: 'Second secret.',
      commission: { amount: '8.00', currency: 'EUR' },
    }
    await host.as('paul', ...PREPARING).patch(`/contracts/${id}`, patch, { 'if-match': '*' })
    const compared = (link: object) =>
      host
        .as('linked', { permissions: ['contract:read'], ...link })
        .get(`/contracts/${id}/versions?from=1&to=2`)
    const amount = { pointer: '/commission/amount', before: '7.00', after: '8.00' }
    const whole = await compared({})
    expect(whole.body.diff).toEqual(
      expect.arrayContaining([
        amount,
        { pointer: '/internalNote', before: 'First secret.', after: 'Second secret.' },
      ]),
    )
    const ofPartner = await compared({ partnerId })
    expect(ofPartner.body.diff).toEqual([amount])
    expect(ofPartner.text).not.toContain('secret')
    expect((await compared({ partyId })).body.diff).toEqual([])
    const foreign = await compared({ partnerId: 'ptn_other' })
    expect(foreign).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})
