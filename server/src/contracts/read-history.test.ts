import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, succeeded } from '../../test/contract-stories.ts'
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

  test('changes stand in it with their reasons, taken back or refused ones too (platform 4)', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const uma = host.as('uma', 'contract:update', 'contract:settle')
    const ana = host.as('ana', 'contract:approve')
    const path = `/contracts/${id}`
    const amend = (termMonths: number) =>
      succeeded(uma.post(`${path}/changes`, { terms: { termMonths }, reason: 'Asked.' }))
    const first = (await amend(60)).body.id
    await succeeded(uma.post(`${path}/changes/${first}/withdraw`, { reason: 'Thought again.' }))
    const second = (await amend(36)).body.id
    await succeeded(ana.post(`${path}/changes/${second}/reject`, { reason: 'Too short.' }))
    const third = (await amend(72)).body.id
    await succeeded(ana.post(`${path}/changes/${third}/approve`))
    const { body } = await succeeded(host.as('reader', 'contract:read').get(`${path}/history`))
    const told = body.items
      .slice(3)
      .map((each: Record<string, unknown>) => [
        ...[each['event'], each['changeId'], each['reason'], each['version']],
      ])
    expect(told).toEqual([
      ['CHANGE_PROPOSED', first, 'Asked.', null],
      ['CHANGE_WITHDRAWN', first, 'Thought again.', null],
      ['CHANGE_PROPOSED', second, 'Asked.', null],
      ['CHANGE_REJECTED', second, 'Too short.', null],
      ['CHANGE_PROPOSED', third, 'Asked.', null],
      ['AMENDED', third, 'Asked.', 4],
    ])
  })

  test('an attempt that called the contract by its number is told too', async () => {
    const id = await contractIn(host, 'PENDING_APPROVAL', { partyId })
    const reader = host.as('reader', 'contract:read')
    const { number } = (await reader.get(`/contracts/${id}`)).body
    await host.as('paul', 'contract:approve').post(`/contracts/${number}/approve`)
    const { body } = await succeeded(reader.get(`/contracts/${number}/history`))
    expect(body.contractId).toBe(id)
    expect(body.items.at(-1)).toMatchObject({ event: 'REFUSED', by: { username: 'paul' } })
  })
})
