import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { accountWish, addressWish, wisher } from '../../test/wishes.ts'

describe.each(STORE_KINDS)('listRequests on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('oldest first, by state, page by page; scoped callers are refused (platform 3)', async () => {
    const { customer, partyId } = await wisher(host)
    const first = (await customer.post('/my/requests', addressWish)).body.id
    const second = (await customer.post('/my/requests', accountWish)).body.id
    const clerk = host.as('clerk', 'party:read', 'party:update')
    const page = await clerk.get('/requests?limit=1')
    expect(page.body.items.map(({ id }: { id: string }) => id)).toEqual([first])
    const next = await clerk.get(`/requests?limit=1&cursor=${page.body.nextCursor}`)
    expect(next.body.items.map(({ id }: { id: string }) => id)).toEqual([second])
    await clerk.post(`/requests/${first}/decline`, { reason: 'No.' })
    const open = await clerk.get('/requests?state=OPEN')
    expect(open.body.items.map(({ id }: { id: string }) => id)).toEqual([second])
    const scoped = await host.as('c', { permissions: ['party:read'], partyId }).get('/requests')
    expect(scoped).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
  })
})
