import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { PARTNER_STAFF, partnerOf } from '../../test/partners.ts'
import { createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('suspendPartner on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('200 at once, with a reason; it brings no new contracts (platform 4)', async () => {
    const { id: partnerId } = await partnerOf(host)
    const staff = host.as('paul', ...PARTNER_STAFF)
    expect((await staff.post(`/partners/${partnerId}/suspend`, {})).status).toBe(400)
    const suspended = await staff.post(`/partners/${partnerId}/suspend`, { reason: 'Complaints.' })
    expect(suspended.body, suspended.text).toMatchObject({ state: 'SUSPENDED', version: 2 })
    const again = await staff.post(`/partners/${partnerId}/suspend`, { reason: 'Again.' })
    expect(again).toMatchObject({ status: 409, code: 'INVALID_STATE' })
    const preparer = host.as('petra', ...PREPARING)
    const partyId = await createParty(preparer)
    const contract = await preparer.post('/contracts', newContract(partyId, { partnerId }))
    expect(contract.body.errors).toMatchObject([
      { pointer: '/partnerId', code: 'PARTNER_SUSPENDED' },
    ])
  })
})
