import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  contractIn,
  leftBehind,
  partnerNamed,
  SITUATIONS,
  succeeded,
} from '../../test/contract-stories.ts'
import { expectFaults, expectRefusal } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const ANY = { 'if-match': '*' }
const ASSET = { category: 'CAR', description: 'Car', make: 'Volvo', price: eur('9.00') }

describe.each(STORE_KINDS)('editContract on %s', (store) => {
  let host: Host
  let partyId: string
  let [ownPartner, otherPartner, ownParty] = ['', '', '']
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
    ownPartner = await partnerNamed(host.db, 'OWN')
    otherPartner = await partnerNamed(host.db, 'OTHER')
    ownParty = await createParty(dealer())
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const eva = () => host.as('eva', ...PREPARING)
  const dealer = () => host.as('dealer', { permissions: PREPARING, partnerId: ownPartner })
  const draft = (overrides: Record<string, unknown> = {}) =>
    createContract(paul(), newContract(partyId, { draft: true, ...overrides }))

  test('200 with the next version, the editor among the preparers, and another content hash', async () => {
    const id = await draft()
    const before = (await paul().get(`/contracts/${id}`)).body
    const answer = await eva().patch(
      `/contracts/${id}`,
      { externalRef: 'R-1' },
      { 'if-match': '"1"' },
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      state: 'DRAFT',
      version: 2,
      externalRef: 'R-1',
      warnings: [],
    })
    expect(answer.body.updatedBy.username).toBe('eva')
    expect(answer.body.createdBy.username).toBe('paul')
    expect(answer.body.approval.preparedBy).toMatchObject([
      { username: 'paul' },
      { username: 'eva' },
    ])
    expect(answer.body.approval.contentHash).not.toBe(before.approval.contentHash)
    expect(answer.headers.get('etag')).toMatch(/^"2\./)
    const again = await eva().patch(
      `/contracts/${id}`,
      { externalRef: 'R-2' },
      { 'if-match': '"2"' },
    )
    expect(again.body.approval.preparedBy).toHaveLength(2)
  })

  test('200 where objects merge, null takes away and the rest replaces (RFC 7396)', async () => {
    const id = await draft({
      asset: ASSET,
      externalRef: 'R',
      internalNote: 'N',
      commission: eur('1.00'),
    })
    const patch = {
      type: 'HIRE_PURCHASE',
      asset: { make: null, model: 'V60', price: { amount: '10' } },
      terms: { termMonths: 12, vatRate: '19' },
      ...{ externalRef: null, internalNote: null, commission: null },
    }
    const { body } = await succeeded(paul().patch(`/contracts/${id}`, patch, ANY))
    const { make: _, ...asset } = ASSET
    expect(body.asset).toEqual({ ...asset, model: 'V60', price: eur('10.00') })
    expect(body).toMatchObject({ type: 'HIRE_PURCHASE', endDate: '2027-12-31' })
    expect(body.terms).toMatchObject({ termMonths: 12, vatRate: '19', nominalRate: '4.9' })
    for (const gone of ['externalRef', 'internalNote', 'commission'])
      expect(body).not.toHaveProperty(gone)
    const without = await succeeded(paul().patch(`/contracts/${id}`, { asset: null }, ANY))
    expect(without.body).not.toHaveProperty('asset')
  })

  test('200 for application/merge-patch+json as well', async () => {
    const type = { 'content-type': 'application/merge-patch+json' }
    const patch = { internalNote: 'x' }
    const answer = await paul().patch(`/contracts/${await draft()}`, patch, { ...ANY, ...type })
    expect(answer.status).toBe(200)
  })

  test('200 for another party and another partner, by staff of the house', async () => {
    const patch = { partyId: ownParty, partnerId: ownPartner }
    const { body } = await succeeded(paul().patch(`/contracts/${await draft()}`, patch, ANY))
    expect(body).toMatchObject({ ...patch, partner: { name: 'Partner OWN' } })
  })

  test('a returned draft is edited and submitted again, and the returner is no preparer', async () => {
    const id = await contractIn(host, 'RETURNED', { partyId })
    const edited = await succeeded(paul().patch(`/contracts/${id}`, { externalRef: 'New' }, ANY))
    expect(edited.body.approval).toMatchObject({
      status: 'RETURNED',
      preparedBy: [{ username: 'paul' }],
      decisions: [{ decision: 'RETURNED', by: { username: 'ana' } }],
    })
    const submitted = await succeeded(paul().post(`/contracts/${id}/submit`))
    expect(submitted.body.approval.status).toBe('PENDING')
  })

  test('200 for a dry run with before and after, and nothing is stored', async () => {
    const id = await draft()
    const before = await leftBehind(host.db)
    const answer = await eva().patch(
      `/contracts/${id}?dryRun=true`,
      { terms: { termMonths: 24 } },
      ANY,
    )
    expect(answer).toMatchObject({ status: 200, body: { dryRun: true, result: { version: 2 } } })
    expect(answer.body.diff).toContainEqual({ pointer: '/terms/termMonths', before: 48, after: 24 })
    expect(await leftBehind(host.db)).toEqual(before)
    expect((await paul().get(`/contracts/${id}`)).body.version).toBe(1)
  })

  test('428 VERSION_REQUIRED without If-Match, 412 VERSION_CONFLICT with another version', async () => {
    const id = await draft()
    const without = await paul().patch(`/contracts/${id}`, { externalRef: 'x' })
    expect(without).toMatchObject({ status: 428, code: 'VERSION_REQUIRED' })
    await succeeded(eva().patch(`/contracts/${id}`, { externalRef: 'y' }, { 'if-match': '"1"' }))
    const late = await paul().patch(`/contracts/${id}`, { externalRef: 'z' }, { 'if-match': '"1"' })
    expect(late).toMatchObject({ status: 412, code: 'VERSION_CONFLICT', body: { version: 2 } })
    expect((await paul().get(`/contracts/${id}`)).body).toMatchObject({
      version: 2,
      externalRef: 'y',
    })
  })

  test('409 INVALID_STATE in every state but DRAFT: a pending contract is frozen', async () => {
    for (const situation of SITUATIONS) {
      if (situation === 'DRAFT' || situation === 'RETURNED') continue
      const id = await contractIn(host, situation, { partyId })
      const answer = await paul().patch(`/contracts/${id}`, { externalRef: 'x' }, ANY)
      expect(answer, situation).toMatchObject({ status: 409, code: 'INVALID_STATE' })
      expect(answer.body).toMatchObject({ state: situation, allowedStates: ['DRAFT'] })
      expect(answer.body.detail).toBe('Only a draft can be edited; return or withdraw it first.')
    }
  })

  test('403 PERMISSION_MISSING without contract:update (spec 5.5.3)', async () => {
    const id = await draft()
    const answer = await host
      .as('paul', 'contract:create', 'contract:read', 'contract:approve')
      .patch(`/contracts/${id}`, { externalRef: 'x' }, ANY)
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.requiredPermission).toBe('contract:update')
  })

  test('404 for an unknown and for a foreign contract, with the same body (rule 16)', async () => {
    const foreign = await draft()
    const bodies = await Promise.all(
      [foreign, 'ctr_unknown', '2026-000000'].map(async (id) => {
        const answer = await dealer().patch(`/contracts/${id}`, { externalRef: 'x' }, ANY)
        expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
        const { instance: _, requestId: __, ...body } = answer.body
        return body
      }),
    )
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  test('400 UNKNOWN_FIELD for what is not content (rule 17)', async () => {
    const id = await draft()
    const fields = [
      'id',
      'number',
      'state',
      'version',
      'draft',
      'preparers',
      'preparedBy',
      'approval',
    ]
    for (const name of [
      ...fields,
      'approvedBy',
      'decisions',
      'contentHash',
      'createdBy',
      'party',
    ]) {
      const answer = await paul().patch(`/contracts/${id}`, { [name]: 'APPROVED' }, ANY)
      expectFaults(answer, [
        { pointer: `/${name}`, code: 'UNKNOWN_FIELD', detail: /^Unknown field "/ },
      ])
    }
    const nested = await paul().patch(`/contracts/${id}`, { terms: { state: 'X' } }, ANY)
    expectFaults(nested, [
      { pointer: '/terms/state', code: 'UNKNOWN_FIELD', detail: /^Unknown field "state"\./ },
    ])
    const near = await paul().patch(`/contracts/${id}`, { externalref: 'X' }, ANY)
    expect(near.body.errors[0].detail).toBe(
      'Unknown field "externalref". Did you mean "externalRef"?',
    )
    expect((await paul().get(`/contracts/${id}`)).body).toMatchObject({
      version: 1,
      state: 'DRAFT',
    })
  })

  test('400 when a member that is needed is taken away, or a value does not fit', async () => {
    const id = await draft({ asset: ASSET })
    for (const [patch, pointer, code] of [
      [{ terms: null }, '/terms', 'REQUIRED'],
      [{ partyId: null }, '/partyId', 'REQUIRED'],
      [{ type: null }, '/type', 'REQUIRED'],
      [{ terms: { nominalRate: null } }, '/terms/nominalRate', 'REQUIRED'],
      [{ asset: { price: null } }, '/asset/price', 'REQUIRED'],
      [{ terms: { termMonths: 0 } }, '/terms/termMonths', 'TOO_SMALL'],
      [
        { terms: { financedAmount: { amount: '-1' } } },
        '/terms/financedAmount/amount',
        'AMOUNT_NOT_POSITIVE',
      ],
      [{ asset: 'car' }, '/asset', 'WRONG_TYPE'],
      [{ externalRef: 'x'.repeat(65) }, '/externalRef', 'TOO_LONG'],
    ] as const) {
      expectFaults(await paul().patch(`/contracts/${id}`, patch, ANY), [
        { pointer, code, detail: /./ },
      ])
    }
    for (const body of ['{}', '[]', '"x"', 'null', '']) {
      const answer = await paul().patch(`/contracts/${id}`, body, ANY)
      expect(answer, body).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(answer.body.errors).toMatchObject([{ pointer: '' }])
    }
  })

  test('422 for references and rules, as for a new contract', async () => {
    const id = await draft()
    for (const [patch, pointer, code] of [
      [{ partyId: 'pty_unknown' }, '/partyId', 'UNKNOWN'],
      [{ partnerId: 'ptn_unknown' }, '/partnerId', 'UNKNOWN'],
      [
        { terms: { frequency: 'YEARLY', termMonths: 13 } },
        '/terms/termMonths',
        'TERM_NOT_MULTIPLE',
      ],
    ] as const) {
      const answer = await paul().patch(`/contracts/${id}`, patch, ANY)
      expectRefusal(answer, 422, 'RULE_VIOLATED', [{ pointer, code, detail: /./ }])
    }
  })

  describe('who may see only some rows', () => {
    const own = () =>
      createContract(dealer(), newContract(ownParty, { draft: true, commission: eur('1.00') }))
    const customer = () => host.as('clara', { permissions: PREPARING, partyId: ownParty })

    test('200 for partner staff on their own draft; what they cannot see stays', async () => {
      const id = await own()
      await succeeded(paul().patch(`/contracts/${id}`, { internalNote: 'Ours.' }, ANY))
      const { body } = await succeeded(
        dealer().patch(`/contracts/${id}`, { externalRef: 'D' }, ANY),
      )
      expect(body).toMatchObject({ externalRef: 'D', commission: eur('1.00') })
      expect(body).not.toHaveProperty('internalNote')
      expect((await paul().get(`/contracts/${id}`)).body.internalNote).toBe('Ours.')
    })

    test('200 for a caller linked to the party; commission and partner stay', async () => {
      const id = await own()
      const { body } = await succeeded(
        customer().patch(`/contracts/${id}`, { externalRef: 'C' }, ANY),
      )
      expect(body).toMatchObject({ externalRef: 'C', partnerId: ownPartner })
      expect(body).not.toHaveProperty('commission')
      expect((await paul().get(`/contracts/${id}`)).body.commission).toEqual(eur('1.00'))
    })

    test('422 for what they may not write, and nothing is given away', async () => {
      const id = await own()
      for (const [client, patch, pointer, code] of [
        [dealer(), { internalNote: 'x' }, '/internalNote', 'NOT_YOURS'],
        [dealer(), { internalNote: null }, '/internalNote', 'NOT_YOURS'],
        [dealer(), { partnerId: null }, '/partnerId', 'NOT_YOURS'],
        [dealer(), { partnerId: otherPartner }, '/partnerId', 'UNKNOWN'],
        [dealer(), { partyId: 'pty_unknown' }, '/partyId', 'UNKNOWN'],
        [customer(), { commission: null }, '/commission', 'NOT_YOURS'],
        [customer(), { internalNote: 'x' }, '/internalNote', 'NOT_YOURS'],
        [customer(), { partyId }, '/partyId', 'UNKNOWN'],
        [customer(), { partnerId: otherPartner }, '/partnerId', 'UNKNOWN'],
      ] as const) {
        const answer = await client.patch(`/contracts/${id}`, patch, ANY)
        expectRefusal(answer, 422, 'RULE_VIOLATED', [{ pointer, code, detail: /./ }])
      }
      expect((await paul().get(`/contracts/${id}`)).body.version).toBe(1)
    })
  })
})
