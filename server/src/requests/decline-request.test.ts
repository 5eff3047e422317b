import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { addressWish, wisher } from '../../test/wishes.ts'

describe.each(STORE_KINDS)('declineRequest on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('200, and the customer reads the reason without a name (platform 5)', async () => {
    const { customer } = await wisher(host)
    const { id } = (await customer.post('/my/requests', addressWish)).body
    const clerk = host.as('clerk-with-a-name', 'party:update')
    expect((await clerk.post(`/requests/${id}/decline`)).status).toBe(400)
    const declined = await clerk.post(`/requests/${id}/decline`, { reason: 'Please call us.' })
    expect(declined.body, declined.text).toMatchObject({ state: 'REFUSED' })
    const seen = await customer.get('/my/requests')
    expect(seen.body.items[0]).toMatchObject({ state: 'REFUSED', reason: 'Please call us.' })
    expect(seen.text).not.toContain('clerk-with-a-name')
  })
})
