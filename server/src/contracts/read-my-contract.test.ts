import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, partnerNamed, SITUATIONS, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { MY_STATES } from './my-contract.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

/** The allow-list, once more: what customers read of a contract and nothing else. */
const SHOWN = [
  'id',
  'number',
  'type',
  'state',
  'version',
  'asset',
  'terms',
  'instalment',
  'totals',
  'effectiveRate',
  'endDate',
  'nextDueDate',
  'createdAt',
]

describe.each(STORE_KINDS)('readMyContract on %s', (store) => {
  let host: Host
  let [partyId, otherParty, partnerId] = ['', '', '']
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
    otherParty = await createParty(paul())
    partnerId = await partnerNamed(host.db, 'A')
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const clara = (more: object = {}) =>
    host.as('clara', { permissions: ['my:read'], partyId, ...more })

  test('200 with the fields of the allow-list and no others (spec 4.14)', async () => {
    const id = await createContract(
      paul(),
      newContract(partyId, {
        ...{ partnerId, internalNote: 'x', commission: eur('1'), externalRef: 'R' },
        asset: { category: 'CAR', description: 'Car', serialNumber: 'S', price: eur('9.00') },
      }),
    )
    const answer = await clara().get(`/my/contracts/${id}`)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual([...SHOWN].sort())
    const { body } = await paul().get(`/contracts/${id}`)
    for (const name of SHOWN.filter((shown) => shown !== 'state')) {
      expect(answer.body[name], name).toEqual(body[name])
    }
    expect(answer.headers.get('etag')).toMatch(/^"1\./)
  })

  test('200 in every state but DRAFT, pending ones read IN_REVIEW, drafts are 404', async () => {
    for (const situation of SITUATIONS) {
      const id = await contractIn(host, situation, { partyId })
      const { status, body, code } = await clara().get(`/my/contracts/${id}`)
      if (situation === 'DRAFT' || situation === 'RETURNED') {
        expect({ status, code }).toEqual({ status: 404, code: 'NOT_FOUND' })
      } else {
        expect(body.state).toBe(situation === 'PENDING_APPROVAL' ? 'IN_REVIEW' : situation)
        expect(MY_STATES).toContain(body.state)
      }
    }
  })

  test('404 for a foreign contract with the same body as for an unknown one (rule 16, spec 7.5)', async () => {
    const foreign = await createContract(paul(), newContract(otherParty))
    const draft = await createContract(paul(), newContract(partyId, { draft: true }))
    const shown = await Promise.all(
      [foreign, draft, 'ctr_unknown', '%20', "'%20or%20true", 'x'.repeat(200)].map(async (id) => {
        const { body } = await clara().get(`/my/contracts/${id}`)
        const { instance: _, requestId: __, ...rest } = body
        return JSON.stringify(rest)
      }),
    )
    expect(new Set(shown).size).toBe(1)
    expect(JSON.parse(shown[0] as string)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  test('200 with my:read or contract:read, the rows are the party’s either way, 403 with neither (spec 4.3)', async () => {
    const own = await createContract(paul(), newContract(partyId))
    const foreign = await createContract(paul(), newContract(otherParty))
    for (const code of ['my:read', 'contract:read']) {
      const client = clara({ permissions: [code] })
      expect((await client.get(`/my/contracts/${own}`)).status, code).toBe(200)
      expect((await client.get(`/my/contracts/${foreign}`)).status, code).toBe(404)
    }
    const answer = await clara({
      permissions: ['my:request', 'contract:approve', 'party:read'],
    }).get(`/my/contracts/${own}`)
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.requiredPermissions).toEqual(['my:read', 'contract:read'])
  })

  test('403 PARTY_REQUIRED for whoever is linked to no party, staff too', async () => {
    const own = await createContract(paul(), newContract(partyId))
    for (const permissions of [['my:read'], PREPARING]) {
      const answer = await host.as('paul', { permissions }).get(`/my/contracts/${own}`)
      expect(answer).toMatchObject({ status: 403, code: 'PARTY_REQUIRED' })
    }
    const staff = host.as('dora', { permissions: ['my:read'], partnerId })
    expect((await staff.get(`/my/contracts/${own}`)).code).toBe('PARTY_REQUIRED')
  })

  test('a caller with party and partner sees what both may see', async () => {
    const brought = await createContract(paul(), newContract(partyId, { partnerId }))
    const direct = await createContract(paul(), newContract(partyId))
    const both = clara({ partnerId })
    await succeeded(both.get(`/my/contracts/${brought}`))
    expect((await both.get(`/my/contracts/${direct}`)).status).toBe(404)
  })
})
