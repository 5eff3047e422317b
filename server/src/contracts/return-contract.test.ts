import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { testReason } from '../../test/reasoned-move.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('returnContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const ana = () => host.as('ana', 'contract:approve')
  const prepared = () => createContract(paul(), newContract(partyId))
  const reason = 'The term is too long.'

  testReason({
    move: 'return',
    permission: 'contract:approve',
    from: 'PENDING_APPROVAL',
    host: () => host,
    partyId: () => partyId,
  })

  test('200 with the reason, the version and the content hash decided on', async () => {
    const id = await prepared()
    const answer = await ana().post(`/contracts/${id}/return`, { reason }, { 'if-match': '"1"' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ state: 'DRAFT', version: 2 })
    expect(answer.body.approval.status).toBe('RETURNED')
    expect(answer.body.approval.decisions).toMatchObject([
      {
        ...{ decision: 'RETURNED', by: { username: 'ana' }, version: 1, versionStated: true },
        ...{ comment: reason, contentHash: answer.body.approval.contentHash },
      },
    ])
    const read = await paul().get(`/contracts/${id}`)
    expect(read.body.approval.decisions[0].comment).toBe(reason)
  })

  test('409 FOUR_EYES_SAME_USER for a preparer, in any case of the name (spec 5.5.4)', async () => {
    const id = await prepared()
    for (const name of ['paul', 'PAUL', 'Paul']) {
      const answer = await host
        .as(name, 'contract:approve')
        .post(`/contracts/${id}/return`, { reason })
      expect(answer, name).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
      expect(answer.body.preparedBy.username).toBe('paul')
    }
  })

  test('409 ALREADY_DECIDED when it was approved, rejected or returned before', async () => {
    for (const [situation, word] of [
      ['APPROVED', 'approved'],
      ['REJECTED', 'rejected'],
      ['RETURNED', 'returned'],
    ] as const) {
      const id = await contractIn(host, situation, { partyId })
      const ben = host.as('ben', 'contract:approve')
      const answer = await ben.post(`/contracts/${id}/return`, { reason })
      expect(answer).toMatchObject({ status: 409, code: 'ALREADY_DECIDED' })
      expect(answer.body).toMatchObject({ decidedBy: { username: 'ana' } })
      expect(answer.body.detail).toContain(`: ${word}.`)
    }
  })

  test('409 INVALID_STATE for a draft that was never submitted and for a withdrawn one', async () => {
    for (const [situation, allowed] of [
      ['DRAFT', 'can be moved by: submit, withdraw.'],
      ['WITHDRAWN', 'has come to its end.'],
    ] as const) {
      const id = await contractIn(host, situation, { partyId })
      const answer = await ana().post(`/contracts/${id}/return`, { reason })
      expect(answer).toMatchObject({ status: 409, code: 'INVALID_STATE' })
      expect(answer.body).toMatchObject({ state: situation, allowedStates: ['PENDING_APPROVAL'] })
      expect(answer.body.detail).toBe(`A contract in state ${situation} ${allowed}`)
    }
  })

  test('403 HUMAN_APPROVER_REQUIRED for a service account, 403 for a caller linked to a party', async () => {
    const id = await prepared()
    const machine = host.as('service-account-x', 'contract:approve')
    expect((await machine.post(`/contracts/${id}/return`, { reason })).code).toBe(
      'HUMAN_APPROVER_REQUIRED',
    )
    const clara = host.as('clara', { permissions: ['contract:approve'], partyId })
    expect((await clara.post(`/contracts/${id}/return`, { reason })).code).toBe(
      'PERMISSION_MISSING',
    )
  })

  test('a returned contract can be prepared again, and every decision stays in its story', async () => {
    const id = await contractIn(host, 'RETURNED', { partyId })
    await succeeded(paul().post(`/contracts/${id}/submit`))
    await succeeded(ana().post(`/contracts/${id}/return`, { reason: 'Once more.' }))
    await succeeded(paul().post(`/contracts/${id}/submit`))
    const { body } = await succeeded(ana().post(`/contracts/${id}/approve`))
    expect(body).toMatchObject({ state: 'APPROVED', version: 6 })
    expect(body.approval.decisions).toMatchObject([
      { decision: 'RETURNED', version: 1 },
      { decision: 'RETURNED', version: 3, comment: 'Once more.' },
      { decision: 'APPROVED', version: 5 },
    ])
  })
})
