import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, newPerson, PREPARING } from '../../test/samples.ts'
import { insertPartner } from '../partners/index.ts'

describe.each(['embedded'] as const)('probe %s', (store) => {
  let host: Host
  let partyId: string
  let partnerId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
    partnerId = await host.db.write({ rows: 'ALL' }, (tx) => insertPartner(tx, { code: 'A', name: 'A', kind: 'DEALER' }))
  })
  afterAll(() => host.close())
  test('probe', async () => {
    const show = (name: string, a: { status: number; text: string }) => console.log(name, a.status, a.text.slice(0, 300))
    const dealer = host.as('dealer', { permissions: PREPARING, partnerId })
    const own = await createParty(dealer)
    const id = await createContract(dealer, newContract(own, { draft: true }))
    show('partnerId null', await dealer.patch(`/contracts/${id}`, { partnerId: null }, { 'if-match': '*' }))
    const customer = host.as('cust', { permissions: PREPARING, partyId: own })
    show('party creates party', await customer.post('/parties', newPerson()))
    show('unknown partner creates party', await host.as('x', { permissions: PREPARING, partnerId: 'ptn_nope' }).post('/parties', newPerson()))
    show('party edits', await customer.patch(`/contracts/${id}`, { externalRef: 'x' }, { 'if-match': '*' }))
    show('party commission', await customer.post('/contracts', newContract(own, { commission: { amount: '1', currency: 'EUR' } })))
    show('party both', await host.as('cust', { permissions: PREPARING, partyId: own, partnerId }).post('/parties', newPerson()))
    show('dry', await host.as('paul', ...PREPARING).post('/parties?dryRun=true', newPerson()))
    show('empty patch', await dealer.patch(`/contracts/${id}`, {}, { 'if-match': '*' }))
    for (const t of ['1', '2026', '2026-02-31', 'Mon Jan 5 2026', '2026-01-01T00:00:00', '2026-01-01T00:00:00+01:00'])
      show(t, await host.as('paul', ...PREPARING).get(`/contracts?limit=1&createdAt[gte]=${encodeURIComponent(t)}`))
    await host.store.owner(`select setval('contract_number', 1234567)`)
    show('million', { status: 0, text: (await host.as('paul', ...PREPARING).post('/contracts', newContract(partyId))).body.number })
    show('million', { status: 0, text: JSON.stringify((await host.as('paul', ...PREPARING).post('/contracts', newContract(partyId))).body) })
    show('read odd', await host.as('paul', ...PREPARING).get('/contracts/%F0%9F%98%80%20..;x=y'))
    show('long', await host.as('paul', ...PREPARING).get('/contracts/' + 'x'.repeat(300)))
    show('q', await host.as('paul', ...PREPARING).get('/contracts?q=%ED%A0%80'))
    show('q', await host.as('paul', ...PREPARING).get('/contracts?limit=1&q=Sommer'))
    console.log(host.logLines.filter(l => l.includes('fault')).map(l => l.slice(0, 600)).join('\n'))
  })
})
