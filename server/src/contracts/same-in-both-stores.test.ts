import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer } from '../../test/client.ts'
import { contractIn, partnerNamed, SITUATIONS } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newPerson, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const EVERY = [...PREPARING, 'contract:approve', 'contract:activate', 'party:read']

/** The same story told to both: what differs by nature is named by the order in which it is met. */
function neutral(): (text: string) => string {
  const names = new Map<string, string>()
  return (text) =>
    text
      .replace(/\b(?:ctr|pty|ptn|chg)_[0-9a-z]{26}\b/g, (id) => {
        if (!names.has(id)) names.set(id, `${id.slice(0, 3)}-${names.size}`)
        return names.get(id) as string
      })
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'INSTANT')
      .replace(/"requestId":"[^"]+"/g, '"requestId":"…"')
      .replace(/"(contentHash)":"[0-9a-f]{64}"/g, '"$1":"…"')
      .replace(/"nextCursor":"[^"]+"/g, '"nextCursor":"…"')
}

async function story(host: Host): Promise<string[]> {
  const told: string[] = []
  const say = neutral()
  const note = ({ status, text, headers }: TestAnswer) =>
    told.push(`${status} ${say(text)} ${headers.get('etag') === null ? '' : 'ETag'}`)
  const partnerId = await partnerNamed(host.db, 'A')
  const email = 'b@example.org'
  const partyId = await createParty(host.as('paul', ...EVERY), newPerson('Bär', { email }))
  const content = {
    ...{ partyId, partnerId, externalRef: 'R\u00e9f "1" \\', internalNote: 'Line 1\nLine 2 😀' },
    asset: { category: 'C', description: 'D\t"x"', serialNumber: 'S', price: eur('10') },
    commission: eur('1.5'),
  }
  const reader = host.as('rita', ...EVERY)
  const customer = host.as('b', { permissions: ['my:read'], partyId })
  for (const situation of SITUATIONS) {
    const id = await contractIn(host, situation, content)
    note(await reader.get(`/contracts/${id}`))
    note(await customer.get(`/my/contracts/${id}`))
    note(await reader.post(`/contracts/${id}/approve?dryRun=true`))
    note(await reader.patch(`/contracts/${id}?dryRun=true`, { type: 'X' }, { 'if-match': '*' }))
  }
  for (const query of [
    '',
    '?sort=number&limit=3',
    '?state=DRAFT&sort=financedAmount',
    '?q=r%C3%A9f',
    '?q=b',
  ]) {
    note(await reader.get(`/contracts${query}`))
  }
  note(await reader.get('/parties'))
  note(await reader.get(`/parties/${partyId}`))
  note(await customer.get('/my/contracts?limit=2'))
  note(await reader.get('/contracts/unknown'))
  note(await reader.post('/contracts', { partyId: 'x' }))
  return told
}

describe('both stores', () => {
  const hosts: Host[] = []
  beforeAll(async () => {
    for (const store of STORE_KINDS) hosts.push(await startHost({ store }))
  })
  afterAll(async () => {
    for (const host of hosts) await host.close()
  })

  test('answer the same story with the same words, member by member', async () => {
    const [embedded, postgres] = [await story(hosts[0] as Host), await story(hosts[1] as Host)]
    expect(embedded.length).toBeGreaterThan(40)
    for (const [index, answer] of embedded.entries()) expect(postgres[index]).toBe(answer)
  })
})
