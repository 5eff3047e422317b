import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { partnerOf } from '../../test/partners.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('readPartner on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('200 with actions; partner staff see their own and no other (rule 16)', async () => {
    const [own, other] = [await partnerOf(host), await partnerOf(host)]
    const dealer = host.as('dealer', { permissions: ['partner:read'], partnerId: own.id })
    const seen = await dealer.get(`/partners/${own.id}`)
    expect(seen.body).toMatchObject({ id: own.id, code: own.code })
    expect(seen.body.actions.map(({ name }: { name: string }) => name)).toEqual([
      'edit',
      'suspend',
      'resume',
    ])
    const [foreign, unknown] = [
      await dealer.get(`/partners/${other.id}`),
      await dealer.get('/partners/ptn_none'),
    ]
    expect([foreign.status, foreign.body.detail]).toEqual([404, unknown.body.detail])
  })
})
