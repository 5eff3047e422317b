import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('approveContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  const prepared = () => createContract(host.as('paul', ...PREPARING), newContract(partyId))

  test('200 when another user approves, with the version and the content hash decided on', async () => {
    const id = await prepared()
    const answer = await host
      .as('ana', 'contract:approve')
      .post(`/contracts/${id}/approve`, { comment: 'Fine.' }, { 'if-match': '"1"' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ state: 'APPROVED', version: 2 })
    expect(answer.body.approval.decisions).toMatchObject([
      {
        decision: 'APPROVED',
        by: { username: 'ana' },
        version: 1,
        versionStated: true,
        comment: 'Fine.',
        contentHash: answer.body.approval.contentHash,
      },
    ])
  })

  test('409 FOUR_EYES_SAME_USER when the preparer approves', async () => {
    const id = await prepared()
    const answer = await host.as('paul', 'contract:approve').post(`/contracts/${id}/approve`)
    expect(answer).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    expect(answer.body.preparedBy.username).toBe('paul')
  })

  test('409 ALREADY_DECIDED for the second approver', async () => {
    const id = await prepared()
    await host.as('ana', 'contract:approve').post(`/contracts/${id}/approve`)
    const second = await host.as('ben', 'contract:approve').post(`/contracts/${id}/approve`)
    expect(second).toMatchObject({ status: 409, code: 'ALREADY_DECIDED' })
    expect(second.body.decidedBy.username).toBe('ana')
  })
})
