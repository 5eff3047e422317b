import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { accountWish, addressWish, wisher } from '../../test/wishes.ts'

describe.each(STORE_KINDS)('acceptRequest on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('one of staff takes it up, another approves, the customer sees it (platform 4)', async () => {
    const { customer, partyId } = await wisher(host)
    const { id } = (await customer.post('/my/requests', accountWish)).body
    const clerk = host.as('clerk', 'party:read', 'party:update', 'party:approve')
    const taken = await clerk.post(`/requests/${id}/accept`)
    expect(taken.status, taken.text).toBe(200)
    expect(taken.body).toMatchObject({ state: 'IN_REVIEW', party: { id: partyId } })
    expect((await customer.get('/my/requests')).body.items[0].state).toBe('IN_REVIEW')

    const change = `/parties/${partyId}/changes/${taken.body.changeId}`
    expect(await clerk.post(`${change}/approve`)).toMatchObject({
      status: 409,
      code: 'FOUR_EYES_SAME_USER',
    })
    const done = await host.as('ana', 'party:approve').post(`${change}/approve`)
    expect(done.status, done.text).toBe(200)
    expect((await customer.get('/my/requests')).body.items[0].state).toBe('DONE')
    const party = await clerk.get(`/parties/${partyId}`)
    expect(party.body.bankAccount).toEqual({
      iban: 'DE89**************3000',
      holder: 'Clara Wisher',
    })
  })

  test('409 FOUR_EYES_SAME_USER for the customer behind the wish, whatever permissions it has', async () => {
    const { customer, partyId } = await wisher(host)
    const { id } = (await customer.post('/my/requests', addressWish)).body
    const taken = await host.as('clerk', 'party:update').post(`/requests/${id}/accept`)
    const seen = await host
      .as('ana', 'party:read')
      .get(`/parties/${partyId}/changes/${taken.body.changeId}`)
    const wished = seen.body.approval.preparedBy[0].username
    const answer = await host
      .as(wished, 'party:approve')
      .post(`/parties/${partyId}/changes/${taken.body.changeId}/approve`)
    expect(answer).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
  })

  test('the reason of a rejected change reaches the customer; a second answer is refused', async () => {
    const { customer, partyId } = await wisher(host)
    const { id } = (await customer.post('/my/requests', addressWish)).body
    const clerk = host.as('clerk', 'party:update')
    const { changeId } = (await clerk.post(`/requests/${id}/accept`)).body
    expect(await clerk.post(`/requests/${id}/accept`)).toMatchObject({ code: 'ALREADY_DECIDED' })
    await host
      .as('ana', 'party:approve')
      .post(`/parties/${partyId}/changes/${changeId}/reject`, { reason: 'No proof of address.' })
    expect((await customer.get('/my/requests')).body.items[0]).toMatchObject({
      state: 'REFUSED',
      reason: 'No proof of address.',
    })
  })
})
