import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('readHistory on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  test('the story in order, a refused attempt included for staff of the house (platform 4)', async () => {
    const id = await contractIn(host, 'RETURNED', { partyId })
    await host.as('paul', 'contract:create').post(`/contracts/${id}/submit`)
    await host.as('paul', 'contract:approve').post(`/contracts/${id}/approve`)
    await host
      .as('paul', 'contract:create')
      .post(`/contracts/${id}/withdraw`, { reason: 'Enough.' })
    const events = async (permissions: readonly string[], links: object = {}) => {
      const answer = await host
        .as('reader', { permissions, ...links })
        .get(`/contracts/${id}/history`)
      return answer.body.items.map(({ event }: { event: string }) => event)
    }
    const all = ['SUBMITTED', 'RETURNED', 'SUBMITTED', 'REFUSED', 'WITHDRAWN']
    expect(await events(['contract:read'])).toEqual(all)
    const scoped = all.filter((event) => event !== 'REFUSED')
    expect(await events(['contract:read'], { partyId })).toEqual(scoped)
  })

  test('reasons stand beside what they explain', async () => {
    const id = await contractIn(host, 'REJECTED', { partyId })
    const answer = await host.as('reader', 'contract:read').get(`/contracts/${id}/history`)
    expect(answer.body.items.at(-1)).toMatchObject({
      event: 'REJECTED',
      by: { username: 'ana' },
      reason: 'So it is.',
      version: 2,
    })
  })
})
