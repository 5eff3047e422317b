import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, leftBehind, SITUATIONS, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('submitContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const draft = () => createContract(paul(), newContract(partyId, { draft: true }))

  test('200 with the contract that waits, the submitter among its preparers', async () => {
    const id = await draft()
    const before = (await paul().get(`/contracts/${id}`)).body
    const answer = await host.as('sam', 'contract:create').post(`/contracts/${id}/submit`)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ state: 'PENDING_APPROVAL', version: 2 })
    expect(answer.body.warnings).toBeInstanceOf(Array)
    expect(answer.body.approval).toMatchObject({
      status: 'PENDING',
      preparedBy: [{ username: 'paul' }, { username: 'sam' }],
      submittedBy: { username: 'sam' },
      contentHash: before.approval.contentHash,
      decisions: [],
    })
    expect(answer.body.terms).toEqual(before.terms)
  })

  test('200 for the preparer, who is named once', async () => {
    const { body } = await succeeded(paul().post(`/contracts/${await draft()}/submit`))
    expect(body.approval.preparedBy).toHaveLength(1)
  })

  test('200 again after a return, with the new submitter and no decision on it', async () => {
    const id = await contractIn(host, 'RETURNED', { partyId })
    const { body } = await succeeded(
      host.as('sam', 'contract:create').post(`/contracts/${id}/submit`),
    )
    expect(body).toMatchObject({ state: 'PENDING_APPROVAL', version: 3 })
    expect(body.approval).toMatchObject({ status: 'PENDING', submittedBy: { username: 'sam' } })
    expect(body.approval.decisions).toMatchObject([{ decision: 'RETURNED' }])
  })

  test('409 INVALID_STATE from every state but DRAFT, naming what the state allows', async () => {
    for (const situation of SITUATIONS) {
      if (situation === 'DRAFT' || situation === 'RETURNED') continue
      const id = await contractIn(host, situation, { partyId })
      const answer = await paul().post(`/contracts/${id}/submit`)
      expect(answer, situation).toMatchObject({ status: 409, code: 'INVALID_STATE' })
      expect(answer.body).toMatchObject({ state: situation, allowedStates: ['DRAFT'] })
      expect(answer.body.detail).toMatch(
        new RegExp(
          `^A contract in state ${situation} (?:can be moved by: [a-z, ]+|has come to its end)\\.$`,
        ),
      )
    }
  })

  test('403 PERMISSION_MISSING without contract:create (spec 5.5.3)', async () => {
    const others = ['contract:read', 'contract:update', 'contract:approve']
    const answer = await host.as('paul', ...others).post(`/contracts/${await draft()}/submit`)
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.requiredPermission).toBe('contract:create')
  })

  test('404 for an unknown and for a foreign draft, with the same body (rule 16)', async () => {
    const dora = host.as('dora', { permissions: PREPARING, partnerId: 'ptn_x' })
    const [foreign, unknown] = await Promise.all(
      [await draft(), 'ctr_unknown'].map(async (id) => {
        const { body } = await dora.post(`/contracts/${id}/submit`)
        const { instance: _, requestId: __, ...rest } = body
        return rest
      }),
    )
    expect(foreign).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(unknown).toEqual(foreign)
  })

  test('412 for another version, 400 for a body: there is nothing to set (rule 17)', async () => {
    const id = await draft()
    const before = await leftBehind(host.db)
    const old = await paul().post(`/contracts/${id}/submit`, undefined, { 'if-match': '"9"' })
    expect(old).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
    const body = await paul().post(`/contracts/${id}/submit`, { state: 'APPROVED' })
    expectFaults(body, [
      { pointer: '', code: 'UNKNOWN_FIELD', detail: 'This operation takes no body.' },
    ])
    await succeeded(paul().post(`/contracts/${id}/submit?dryRun=true`))
    expect(await leftBehind(host.db)).toEqual(before)
  })
})
