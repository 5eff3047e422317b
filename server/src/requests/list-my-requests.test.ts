import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { accountWish, addressWish, wisher } from '../../test/wishes.ts'

describe.each(STORE_KINDS)('listMyRequests on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('newest first, one’s own alone (platform 5)', async () => {
    const [one, two] = [await wisher(host), await wisher(host)]
    await one.customer.post('/my/requests', addressWish)
    await one.customer.post('/my/requests', accountWish)
    const own = await one.customer.get('/my/requests')
    expect(own.body.items.map(({ kind }: { kind: string }) => kind)).toEqual([
      'BANK_ACCOUNT',
      'ADDRESS',
    ])
    expect((await two.customer.get('/my/requests')).body.items).toEqual([])
  })
})
