import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('listNotes on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  test('newest first, page by page; never for a customer (platform 4)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const clerk = host.as('clerk', 'contract:update', 'contract:read')
    for (const text of ['one', 'two', 'three']) await clerk.post(`/contracts/${id}/notes`, { text })
    const page = await clerk.get(`/contracts/${id}/notes?limit=2`)
    const texts = (items: { text: string }[]) => items.map(({ text }) => text)
    expect(texts(page.body.items)).toEqual(['three', 'two'])
    const rest = await clerk.get(`/contracts/${id}/notes?limit=2&cursor=${page.body.nextCursor}`)
    expect(texts(rest.body.items)).toEqual(['one'])
    const customer = host.as('customer', { permissions: ['contract:read'], partyId })
    expect((await customer.get(`/contracts/${id}/notes`)).body.items).toEqual([])
  })
})
