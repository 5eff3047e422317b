import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import {
  blockParty,
  contractIn,
  partnerNamed,
  SITUATIONS,
  succeeded,
  suspendPartner,
} from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

describe.each(STORE_KINDS)('readContract on %s', (store) => {
  let host: Host
  let [partyId, otherParty, partnerId, otherPartner, id, number] = ['', '', '', '', '', '']
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
    otherParty = await createParty(paul())
    partnerId = await partnerNamed(host.db, 'OWN')
    otherPartner = await partnerNamed(host.db, 'OTHER')
    const content = { partnerId, internalNote: 'Only for us.', commission: eur('77.00') }
    const { body } = await succeeded(paul().post('/contracts', newContract(partyId, content)))
    id = body.id
    number = body.number
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const scoped = (who: { partyId?: string; partnerId?: string }) =>
    host.as('someone', { permissions: ['contract:read'], ...who })

  test('200 by id and by number, the same contract (spec 4.1, spec 2.1)', async () => {
    const byId = await host.as('rita', 'contract:read').get(`/contracts/${id}`)
    const byNumber = await host.as('rita', 'contract:read').get(`/contracts/${number}`)
    expect(byId.status).toBe(200)
    expect(byNumber.body).toEqual(byId.body)
    expect(byId.body).toMatchObject({ id, number, partyId, partnerId })
    expect(byId.body).toMatchObject({ internalNote: 'Only for us.', commission: eur('77.00') })
  })

  test('200 with contract:read or with contract:approve, 403 with neither (spec 5.5.3)', async () => {
    for (const code of ['contract:read', 'contract:approve']) {
      expect((await host.as('x', code).get(`/contracts/${id}`)).status, code).toBe(200)
    }
    const answer = await host
      .as('x', 'contract:create', 'contract:update', 'party:read', 'my:read')
      .get(`/contracts/${id}`)
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body).toMatchObject({
      requiredPermission: 'contract:read',
      requiredPermissions: ['contract:read', 'contract:approve'],
      detail: 'This needs one of the permissions contract:read, contract:approve.',
    })
  })

  test('404 for any string that is no contract (spec 7.5)', async () => {
    for (const unknown of [
      ...[
        'ctr_unknown',
        'x',
        '-',
        '0',
        '2026-999999',
        '2026-1',
        'null',
        '..%2f..',
        "'%20or%201=1--",
      ],
      ...[
        '%F0%9F%98%80',
        '%00',
        '%25',
        'ctr_%25',
        number.toLowerCase().replace('-', '_'),
        'x'.repeat(300),
      ],
      ...[`${id}x`, id.toUpperCase(), `%20${id}`, id.slice(0, -1), partyId],
    ]) {
      const answer = await paul().get(`/contracts/${unknown}`)
      expect(answer, unknown).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
  })

  test('404 with the same body for a foreign contract, by id and by number (rule 16)', async () => {
    const shownTo = async (client: Client, which: string) => {
      const answer = await client.get(`/contracts/${which}`)
      const { instance: _, requestId: __, ...body } = answer.body
      return { ...body, etag: answer.headers.get('etag') }
    }
    const unknown = await shownTo(scoped({ partnerId }), 'ctr_unknown')
    expect(unknown).toMatchObject({ status: 404, detail: 'There is no such contract.' })
    for (const who of [
      { partnerId: otherPartner },
      { partnerId: 'ptn_unknown' },
      { partyId: otherParty },
      { partyId: 'pty_unknown' },
      { partyId, partnerId: otherPartner },
      { partyId: otherParty, partnerId },
    ]) {
      expect(await shownTo(scoped(who), id), JSON.stringify(who)).toEqual(unknown)
      expect(await shownTo(scoped(who), number), JSON.stringify(who)).toEqual(unknown)
    }
  })

  test('200 for partner staff with their commission and without the internal note', async () => {
    const { body } = await succeeded(scoped({ partnerId }).get(`/contracts/${id}`))
    expect(body).toMatchObject({ commission: eur('77.00'), partner: { id: partnerId } })
    expect(body.party).toEqual({ id: partyId, displayName: 'Clara Sommer' })
    expect(body).not.toHaveProperty('internalNote')
  })

  test('200 for a caller linked to the party without commission and internal note', async () => {
    for (const who of [{ partyId }, { partyId, partnerId }]) {
      const { body } = await succeeded(scoped(who).get(`/contracts/${id}`))
      expect(body).toMatchObject({ id, partner: { id: partnerId, name: 'Partner OWN' } })
      expect(body).not.toHaveProperty('internalNote')
      expect(body).not.toHaveProperty('commission')
    }
  })

  test('the approval tells its status in every state', async () => {
    const statuses: Record<string, string> = {}
    for (const situation of SITUATIONS) {
      const one = await contractIn(host, situation, { partyId })
      const { body } = await succeeded(paul().get(`/contracts/${one}`))
      expect(body.state).toBe(situation === 'RETURNED' ? 'DRAFT' : situation)
      statuses[situation] = body.approval.status
      const isOver = ['REJECTED', 'WITHDRAWN', 'SETTLED', 'TERMINATED'].includes(situation)
      expect('nextDueDate' in body, situation).toBe(!isOver)
    }
    expect(statuses).toEqual({
      ...{ DRAFT: 'NOT_SUBMITTED', PENDING_APPROVAL: 'PENDING', APPROVED: 'APPROVED' },
      ...{ ACTIVE: 'APPROVED', SETTLED: 'APPROVED', TERMINATED: 'APPROVED', REJECTED: 'REJECTED' },
      ...{ WITHDRAWN: 'WITHDRAWN', RETURNED: 'RETURNED' },
    })
  })

  test('flags tell a blocked party and a suspended partner, whoever may see the contract', async () => {
    const party = await createParty(paul())
    const partner = await partnerNamed(host.db, 'FLAGGED')
    const one = await createContract(paul(), newContract(party, { partnerId: partner }))
    const flagsFor = async (client: Client) => (await client.get(`/contracts/${one}`)).body.flags
    expect(await flagsFor(paul())).toEqual([])
    await blockParty(host.store, party)
    expect(await flagsFor(paul())).toEqual(['PARTY_BLOCKED'])
    await suspendPartner(host.store, partner)
    expect(await flagsFor(paul())).toEqual(['PARTY_BLOCKED', 'PARTNER_SUSPENDED'])
    expect(await flagsFor(scoped({ partyId: party }))).toEqual([
      'PARTY_BLOCKED',
      'PARTNER_SUSPENDED',
    ])
    expect(await flagsFor(scoped({ partnerId: partner }))).toHaveLength(2)
  })

  test('nextDueDate is the first due date that is not past, by plan', async () => {
    const nextDue = async (firstDueDate: string, termMonths: number) => {
      const terms = { ...newContract(partyId).terms, firstDueDate, termMonths }
      const answer = await succeeded(
        paul().post('/contracts?dryRun=true', newContract(partyId, { terms })),
      )
      return answer.body.result.nextDueDate
    }
    const today = new Date().toISOString().slice(0, 10)
    expect(await nextDue('2199-01-31', 1)).toBe('2199-01-31')
    expect(await nextDue(today, 1)).toBe(today)
    expect(await nextDue('1990-01-31', 12)).toBeUndefined()
    const running = await nextDue('2020-01-31', 600)
    expect(running >= today).toBe(true)
    expect(Date.parse(running) - Date.parse(today)).toBeLessThan(32 * 86_400_000)
  })

  test('ETags differ by caller, 304 for the same caller', async () => {
    const etagFor = async (client: Client) =>
      (await client.get(`/contracts/${id}`)).headers.get('etag') as string
    const mine = await etagFor(paul())
    expect(mine).toMatch(/^"1\.[0-9a-f]{8}"$/)
    expect(await etagFor(scoped({ partnerId }))).not.toBe(mine)
    const again = await paul().get(`/contracts/${id}`, { 'if-none-match': mine })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  test('400 UNKNOWN_PARAMETER for a parameter that does not exist', async () => {
    expectFaults(await paul().get(`/contracts/${id}?expand=party`), [
      {
        pointer: '/query/expand',
        code: 'UNKNOWN_PARAMETER',
        detail: /^Unknown parameter "expand"\./,
      },
    ])
  })
})
