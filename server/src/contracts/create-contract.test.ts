import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  blockParty,
  leftBehind,
  partnerNamed,
  succeeded,
  suspendPartner,
} from '../../test/contract-stories.ts'
import { expectFaults, expectRefusal } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { withValue } from '../../test/with-value.ts'
import { shortDigest } from '../base/digest.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

/** What a body may never set (rule 17), and what it might be mistyped as. */
const NOT_WRITABLE = [
  ...['id', 'number', 'state', 'version', 'preparers', 'preparedBy', 'prepared_by', 'decider'],
  ...[
    'decisions',
    'approval',
    'approvedBy',
    'approvedAt',
    'submittedBy',
    'submittedAt',
    'createdBy',
  ],
  ...['createdAt', 'updatedBy', 'updatedAt', 'contentHash', 'content_hash', 'plan', 'instalment'],
  ...['totals', 'effectiveRate', 'endDate', 'nextDueDate', 'flags', 'actions', 'partner'],
  ...['partyVersion', 'warnings', 'activatedBy', 'activationDate', 'changeId', 'dryRun'],
]

describe.each(STORE_KINDS)('createContract on %s', (store) => {
  let host: Host
  let partyId: string
  let [ownPartner, otherPartner] = ['', '']
  let [ownParty, otherParty] = ['', '']
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
    ownPartner = await partnerNamed(host.db, 'OWN')
    otherPartner = await partnerNamed(host.db, 'OTHER')
    ownParty = await createParty(dealer())
    otherParty = await createParty(dealer(otherPartner))
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const dealer = (partnerId = ownPartner) =>
    host.as('dealer', { permissions: PREPARING, partnerId })
  const customer = () => host.as('clara', { permissions: PREPARING, partyId: ownParty })

  test('201 with the contract that waits for approval, from the least that is needed (spec 4.12)', async () => {
    const answer = await paul().post('/contracts', newContract(partyId))
    expect(answer.status).toBe(201)
    const { body } = answer
    const by = { id: shortDigest('dev:paul'), username: 'paul' }
    expect(body).toMatchObject({
      id: expect.stringMatching(/^ctr_[0-9a-z]{26}$/),
      number: expect.stringMatching(/^\d{4}-\d{6}$/),
      ...{ type: 'LOAN', state: 'PENDING_APPROVAL', version: 1, partyId },
      party: { id: partyId, displayName: 'Clara Sommer' },
      terms: { ...newContract(partyId).terms, frequency: 'MONTHLY', timing: 'ARREARS' },
      ...{ endDate: '2030-12-31', nextDueDate: '2027-01-31', flags: [] },
      approval: {
        status: 'PENDING',
        preparedBy: [{ ...by, at: expect.any(String) }],
        submittedBy: by,
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        decisions: [],
      },
      ...{ createdBy: by, updatedBy: by },
    })
    for (const absent of [
      'partnerId',
      'partner',
      'asset',
      'externalRef',
      'commission',
      'internalNote',
    ]) {
      expect(body).not.toHaveProperty(absent)
    }
    expect(body.approval.submittedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(answer.headers.get('location')).toBe(`/api/v1/contracts/${body.id}`)
    expect(answer.headers.get('etag')).toMatch(/^"1\.[0-9a-f]{8}"$/)
    const read = await paul().get(`/contracts/${body.id}`)
    expect({ ...read.body, warnings: body.warnings }).toEqual(body)
  })

  test('201 with a draft that nobody has submitted', async () => {
    const { body } = await succeeded(
      paul().post('/contracts', newContract(partyId, { draft: true })),
    )
    expect(body).toMatchObject({ state: 'DRAFT', version: 1 })
    expect(body.approval).toMatchObject({
      ...{ status: 'NOT_SUBMITTED', submittedBy: null, submittedAt: null, decisions: [] },
    })
    expect(body).not.toHaveProperty('draft')
    const submitted = await succeeded(
      paul().post('/contracts', newContract(partyId, { draft: false })),
    )
    expect(submitted.body.state).toBe('PENDING_APPROVAL')
  })

  test('201 with every field, money in its one way of writing', async () => {
    const given = {
      externalRef: 'WEB-1001',
      partnerId: ownPartner,
      asset: { category: 'VEHICLE', description: 'Car', serialNumber: 'S-1', price: eur('20000') },
      commission: eur('100.5'),
      internalNote: 'Known for years.',
    }
    const { body } = await succeeded(paul().post('/contracts', newContract(partyId, given)))
    expect(body).toMatchObject({
      ...given,
      partner: { id: ownPartner, name: 'Partner OWN' },
      asset: { ...given.asset, price: eur('20000.00') },
      commission: eur('100.50'),
    })
  })

  test('numbers count up and grow beyond six digits', async () => {
    const numberOf = async () =>
      (await succeeded(paul().post('/contracts', newContract(partyId)))).body.number as string
    const [first, second] = [await numberOf(), await numberOf()]
    expect(Number(second.slice(5)) - Number(first.slice(5))).toBe(1)
    await host.store.owner(`select setval('contract_number', 999999)`)
    expect([await numberOf(), await numberOf()].map((number) => number.slice(4))).toEqual([
      '-1000000',
      '-1000001',
    ])
    expect((await paul().get(`/contracts/${first.slice(0, 4)}-1000000`)).status).toBe(200)
  })

  test('the same content has the same hash, another note too, anything else another one', async () => {
    const hashOf = async (overrides: object) => {
      const body = newContract(partyId, { externalRef: 'H-1', ...overrides })
      const answer = await succeeded(paul().post('/contracts?dryRun=true', body))
      return answer.body.result.approval.contentHash
    }
    const hash = await hashOf({})
    expect(await hashOf({ draft: true, internalNote: 'x' })).toBe(hash)
    const terms = newContract(partyId).terms
    for (const other of [
      { externalRef: 'H-2' },
      { type: 'HIRE_PURCHASE' },
      { partyId: ownParty },
      { partnerId: ownPartner },
      { commission: eur('1.00') },
      { terms: { ...terms, nominalRate: '4.90' } },
      { terms: { ...terms, timing: 'ADVANCE' } },
    ]) {
      expect(await hashOf(other), JSON.stringify(other)).not.toBe(hash)
    }
  })

  test('a live contract with the same serial number or reference is a warning, in any case', async () => {
    const asset = { category: 'CAR', description: 'Car', serialNumber: 'wba-77', price: eur('1') }
    const first = await succeeded(
      paul().post('/contracts', newContract(partyId, { asset, externalRef: 'Ref-77' })),
    )
    const again = (overrides: Record<string, unknown>) =>
      succeeded(
        paul().post('/contracts?dryRun=true', newContract(partyId, { ...overrides, draft: true })),
      )
    const sameSerial = await again({ asset: { ...asset, serialNumber: 'WBA-77' } })
    expect(sameSerial.body.warnings).toEqual([
      {
        code: 'SERIAL_NUMBER_IN_USE',
        detail: `Contract ${first.body.number} is live and has the same serial number.`,
      },
    ])
    expect((await again({ externalRef: 'REF-77' })).body.warnings).toEqual([
      {
        code: 'EXTERNAL_REF_IN_USE',
        detail: `Contract ${first.body.number} is live and has the same external reference.`,
      },
    ])
    const foreign = newContract(otherParty, { asset, draft: true })
    expect(
      (await succeeded(dealer(otherPartner).post('/contracts?dryRun=true', foreign))).body.warnings,
    ).toEqual([])
    await succeeded(paul().post(`/contracts/${first.body.id}/withdraw`, { reason: 'Twice.' }))
    expect((await again({ asset })).body.warnings).toEqual([])
  })

  test('200 for a dry run, with the result and the diff, and nothing is stored', async () => {
    const before = await leftBehind(host.db)
    const answer = await paul().post('/contracts?dryRun=true', newContract(partyId))
    expect(answer).toMatchObject({
      status: 200,
      body: { dryRun: true, result: { state: 'PENDING_APPROVAL', version: 1 } },
    })
    expect(answer.body.diff).toContainEqual({
      pointer: '/state',
      before: null,
      after: 'PENDING_APPROVAL',
    })
    expect(await leftBehind(host.db)).toEqual(before)
    expect((await paul().get(`/contracts/${answer.body.result.id}`)).status).toBe(404)
  })

  test('403 PERMISSION_MISSING without contract:create (spec 5.5.3)', async () => {
    const others = ['contract:read', 'contract:update', 'contract:approve', 'party:create']
    const answer = await host.as('paul', ...others).post('/contracts', newContract(partyId))
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.requiredPermission).toBe('contract:create')
  })

  test.each(NOT_WRITABLE)('400 UNKNOWN_FIELD for %s (rule 17)', async (name) => {
    const body = { ...newContract(partyId), [name]: 'APPROVED' }
    expectFaults(await paul().post('/contracts?dryRun=true', body), [
      { pointer: `/${name}`, code: 'UNKNOWN_FIELD', detail: /^Unknown field "/ },
    ])
  })

  test.each([
    ['/partyID', 'partyId'],
    ['/term', 'terms'],
    ['/terms/nominalrate', 'nominalRate'],
    ['/terms/financedAmount/amout', 'amount'],
    ['/internal_note', 'internalNote'],
  ])('400 that asks whether %s means %s', async (pointer, meant) => {
    const name = pointer.split('/').at(-1)
    const body = withValue(newContract(partyId), pointer, 'x')
    expectFaults(await paul().post('/contracts?dryRun=true', body), [
      {
        pointer,
        code: 'UNKNOWN_FIELD',
        detail: `Unknown field "${name}". Did you mean "${meant}"?`,
      },
    ])
  })

  describe('references', () => {
    const unknownParty = { pointer: '/partyId', code: 'UNKNOWN', detail: 'There is no such party.' }
    const unknownPartner = {
      ...{ pointer: '/partnerId', code: 'UNKNOWN', detail: 'There is no such partner.' },
    }

    test('422 for an unknown party or partner', async () => {
      const party = await paul().post('/contracts', newContract('pty_unknown'))
      expectRefusal(party, 422, 'RULE_VIOLATED', [unknownParty])
      const partner = await paul().post('/contracts', newContract(partyId, { partnerId: 'ptn_x' }))
      expectRefusal(partner, 422, 'RULE_VIOLATED', [unknownPartner])
    })

    test('422 for a foreign party or partner, the same as for an unknown one (rule 16)', async () => {
      const ofTheHouse = await createParty(paul())
      for (const foreign of [otherParty, ofTheHouse, 'pty_unknown']) {
        const answer = await dealer().post('/contracts', newContract(foreign))
        expectRefusal(answer, 422, 'RULE_VIOLATED', [unknownParty])
        const byParty = await customer().post('/contracts', newContract(foreign))
        expectRefusal(byParty, 422, 'RULE_VIOLATED', [unknownParty])
      }
      for (const partnerId of [otherPartner, 'ptn_unknown']) {
        const answer = await dealer().post('/contracts', newContract(ownParty, { partnerId }))
        expectRefusal(answer, 422, 'RULE_VIOLATED', [unknownPartner])
      }
    })

    test('422 for a party that is not active and a partner that is suspended', async () => {
      const blocked = await createParty(paul())
      const suspended = await partnerNamed(host.db, 'SUSPENDED')
      await blockParty(host.store, blocked)
      await suspendPartner(host.store, suspended)
      const party = await paul().post('/contracts', newContract(blocked))
      expectRefusal(party, 422, 'RULE_VIOLATED', [
        {
          ...{ pointer: '/partyId', code: 'PARTY_NOT_ACTIVE' },
          detail: 'This party is blocked or erased; it takes no new contracts.',
        },
      ])
      const body = newContract(partyId, { partnerId: suspended })
      expectRefusal(await paul().post('/contracts', body), 422, 'RULE_VIOLATED', [
        {
          ...{ pointer: '/partnerId', code: 'PARTNER_SUSPENDED' },
          detail: 'This partner is suspended; it brings no new contracts.',
        },
      ])
    })
  })

  describe('who may see only some rows', () => {
    test('201 for partner staff, with their partner as the default and their commission', async () => {
      const body = newContract(ownParty, { commission: eur('9.00') })
      const answer = await succeeded(dealer().post('/contracts', body))
      expect(answer.body).toMatchObject({ partnerId: ownPartner, commission: eur('9.00') })
      const named = newContract(ownParty, { partnerId: ownPartner })
      expect((await dealer().post('/contracts?dryRun=true', named)).status).toBe(200)
    })

    test('422 when partner staff or a party write an internal note, or a party a commission', async () => {
      const note = newContract(ownParty, { internalNote: 'x' })
      const fault = {
        ...{ pointer: '/internalNote', code: 'NOT_YOURS' },
        detail: 'Only staff of the house write internal notes.',
      }
      expectRefusal(await dealer().post('/contracts', note), 422, 'RULE_VIOLATED', [fault])
      expectRefusal(await customer().post('/contracts', note), 422, 'RULE_VIOLATED', [fault])
      const commission = newContract(ownParty, { commission: eur('1.00') })
      expectRefusal(await customer().post('/contracts', commission), 422, 'RULE_VIOLATED', [
        {
          ...{ pointer: '/commission', code: 'NOT_YOURS' },
          detail: 'Only staff and partners write commissions.',
        },
      ])
    })

    test('201 for a caller linked to a party, for that party alone', async () => {
      const answer = await succeeded(customer().post('/contracts', newContract(ownParty)))
      expect(answer.body).toMatchObject({ partyId: ownParty, state: 'PENDING_APPROVAL' })
    })
  })
})
