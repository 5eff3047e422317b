import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { PARTNER_STAFF, partnerOf } from '../../test/partners.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('listPartners on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('newest first, by state, page by page; partner staff see one row', async () => {
    const made = [await partnerOf(host), await partnerOf(host), await partnerOf(host)]
    const staff = host.as('paul', ...PARTNER_STAFF)
    const ids = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id)
    const page = await staff.get('/partners?limit=2')
    expect(ids(page.body)).toEqual([made[2]?.id, made[1]?.id])
    const rest = await staff.get(`/partners?limit=2&cursor=${page.body.nextCursor}`)
    expect(ids(rest.body)).toEqual([made[0]?.id])
    await staff.post(`/partners/${made[1]?.id}/suspend`, { reason: 'Why not.' })
    expect(ids((await staff.get('/partners?state=SUSPENDED')).body)).toEqual([made[1]?.id])
    const dealer = host.as('dealer', {
      permissions: ['partner:read'],
      partnerId: made[0]?.id ?? '',
    })
    expect(ids((await dealer.get('/partners')).body)).toEqual([made[0]?.id])
  })
})
