import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, forced, pagesOf, SITUATIONS, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

interface Listed {
  readonly id: string
  readonly state: string
}

describe.each(STORE_KINDS)('listMyContracts on %s', (store) => {
  let host: Host
  let [partyId, otherParty, emptyParty] = ['', '', '']
  let own: string[] = []
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
    otherParty = await createParty(paul())
    emptyParty = await createParty(paul())
    own = []
    for (const situation of SITUATIONS) own.push(await contractIn(host, situation, { partyId }))
    await createContract(paul(), newContract(otherParty))
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const customer = (party: string, name = 'clara') =>
    host.as(name, { permissions: ['my:read'], partyId: party })

  test('200 with the contracts of the caller’s party, newest first, without drafts (spec 1.1, spec 4.3)', async () => {
    const { body } = await succeeded(customer(partyId).get('/my/contracts'))
    const visible = SITUATIONS.flatMap((situation, index) =>
      situation === 'DRAFT' || situation === 'RETURNED' ? [] : [own[index] as string],
    )
    expect(body.items.map(({ id }: Listed) => id)).toEqual(visible.reverse())
    expect(body.nextCursor).toBeNull()
    for (const item of body.items) {
      expect((await customer(partyId).get(`/my/contracts/${item.id}`)).body).toEqual(item)
      expect(item.state).not.toBe('PENDING_APPROVAL')
    }
  })

  test('x-dev-party selects the party whose contracts are read (spec 5.6.3)', async () => {
    const states = async (party: string) =>
      (await succeeded(customer(party, 'same-user').get('/my/contracts'))).body.items.length
    expect(await states(partyId)).toBe(SITUATIONS.length - 2)
    expect(await states(otherParty)).toBe(1)
    expect(await states(emptyParty)).toBe(0)
  })

  test('200 with an empty list for an unknown party, never a hint (rule 16)', async () => {
    for (const party of ['pty_unknown', "' or '1'='1", '%', partyId.toUpperCase(), `${partyId} `]) {
      const client = host.as('x', { permissions: ['my:read'], partyId: party })
      const answer = await client.get('/my/contracts')
      if (party.endsWith(' ')) continue
      expect(answer, party).toMatchObject({ status: 200, body: { items: [], nextCursor: null } })
    }
  })

  test('staff with contract:read and a party see that party’s contracts only', async () => {
    const staff = host.as('paul', { permissions: PREPARING, partyId: otherParty })
    expect((await staff.get('/my/contracts')).body.items).toHaveLength(1)
    expect((await host.as('paul', ...PREPARING).get('/my/contracts')).code).toBe('PARTY_REQUIRED')
  })

  test('each contract exactly once, page by page, under ties', async () => {
    await forced(
      host.store,
      'contract',
      `update contract set created_at = date_trunc('hour', created_at) where party_id = '${partyId}'`,
    )
    const whole = (await pagesOf(customer(partyId), '/my/contracts', 200)).flat() as Listed[]
    for (const limit of [1, 2, 3]) {
      const pages = (await pagesOf(customer(partyId), '/my/contracts', limit)).flat() as Listed[]
      expect(pages).toEqual(whole)
    }
    expect(new Set(whole.map(({ id }) => id)).size).toBe(SITUATIONS.length - 2)
  })

  test('400 for the cursor of another customer, though the name is the same (rule 16)', async () => {
    const { body } = await succeeded(customer(partyId).get('/my/contracts?limit=1'))
    const stolen = `/my/contracts?limit=1&cursor=${body.nextCursor}`
    for (const client of [customer(otherParty), customer(partyId, 'other')]) {
      expectFaults(await client.get(stolen), [
        { pointer: '/query/cursor', code: 'CURSOR_FOREIGN', detail: /./ },
      ])
    }
  })

  test('400 for parameters that a customer does not have', async () => {
    for (const name of ['state', 'partyId', 'partnerId', 'preparedBy', 'q', 'sort', 'expand']) {
      const answer = await customer(partyId).get(`/my/contracts?${name}=${otherParty}`)
      expectFaults(answer, [{ pointer: `/query/${name}`, code: 'UNKNOWN_PARAMETER', detail: /./ }])
    }
  })

  test('403 PERMISSION_MISSING with neither my:read nor contract:read (spec 5.5.3)', async () => {
    const client = host.as('x', { permissions: ['my:request', 'contract:approve'], partyId })
    expect(await client.get('/my/contracts')).toMatchObject({
      ...{ status: 403, code: 'PERMISSION_MISSING' },
    })
  })
})
