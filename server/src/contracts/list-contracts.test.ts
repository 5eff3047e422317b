import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newContract, newPerson, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { shortDigest } from '../base/digest.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const TYPES = ['LOAN', 'HIRE_PURCHASE', 'FINANCE_LEASE', 'OPERATING_LEASE']
const CONTRACTS = 12
const COMBINATIONS = 60

interface Listed {
  readonly id: string
  readonly number: string
  readonly state: string
  readonly type: string
  readonly partyId: string
  readonly partnerId?: string
  readonly createdAt: string
  readonly approval: { readonly preparedBy: readonly { readonly username: string }[] }
}

describe.each(STORE_KINDS)('listContracts on %s', (store) => {
  let host: Host
  let partyIds: string[] = []
  let partnerIds: string[] = []
  let all: Listed[] = []

  const as = (name: string) => host.as(name, ...PREPARING)
  const reader = () => host.as('rita', 'contract:read')
  const listed = async (client: Client, query: string): Promise<string[]> => {
    const { body } = await succeeded(client.get(`/contracts?limit=200&${query}`))
    return body.items.map(({ id }: Listed) => id)
  }

  beforeAll(async () => {
    host = await startHost({ store })
    partyIds = [
      await createParty(as('paul')),
      await createParty(as('paul'), newPerson('Zöllner')),
      await createParty(as('paul'), {
        type: 'ORGANISATION',
        organisation: { name: 'Straßenbau Groß KG' },
      }),
    ]
    partnerIds = [await partnerNamed(host.db, 'A'), await partnerNamed(host.db, 'B')]
    for (let n = 0; n < CONTRACTS; n++) await prepare(n)
    const { body } = await succeeded(reader().get('/contracts?limit=200'))
    all = body.items
  })
  afterAll(() => host.close())

  /** The n-th contract: every filter splits them differently. */
  async function prepare(n: number): Promise<void> {
    const preparer = as(n % 3 === 0 ? 'Eva' : 'paul')
    const { body } = await succeeded(
      preparer.post('/contracts', {
        ...newContract(partyIds[n % 3] as string),
        type: TYPES[n % 4],
        ...(n % 2 === 0 && { partnerId: partnerIds[(n / 2) % 2] }),
        ...(n < 4 && { externalRef: `Web-100${n}` }),
        ...(n >= 8 && {
          asset: { category: 'C', description: 'D', serialNumber: `Vin ${n}X`, price: eur('1') },
        }),
        internalNote: `Note ${n}`,
        commission: eur('1.00'),
        draft: n % 5 === 0,
      }),
    )
    const path = `/contracts/${body.id}`
    if (n % 5 === 1) await succeeded(host.as('ana', 'contract:approve').post(`${path}/approve`))
    if (n % 5 === 2) await succeeded(preparer.post(`${path}/withdraw`, { reason: 'x' }))
  }

  const idsWhere = (fits: (contract: Listed) => boolean): string[] =>
    all.filter(fits).map(({ id }) => id)

  /** Each filter as query text, and what it means. */
  const filters = (): (readonly [string, (contract: Listed) => boolean])[] => {
    const middle = all[5] as Listed
    const preparedBy = (name: string) => (contract: Listed) =>
      contract.approval.preparedBy.some(({ username }) => username === name)
    return [
      ['state=DRAFT', ({ state }) => state === 'DRAFT'],
      ['state=APPROVED,WITHDRAWN', ({ state }) => ['APPROVED', 'WITHDRAWN'].includes(state)],
      ['state=SETTLED', () => false],
      ...partyIds.map((id) => [`partyId=${id}`, (one: Listed) => one.partyId === id] as const),
      ...partnerIds.map(
        (id) => [`partnerId=${id}`, (one: Listed) => one.partnerId === id] as const,
      ),
      ['partyId=pty_unknown', () => false],
      ['partnerId=ptn_unknown', () => false],
      ...TYPES.map((type) => [`type=${type}`, (one: Listed) => one.type === type] as const),
      ['preparedBy=paul', preparedBy('paul')],
      ['preparedBy=EVA', preparedBy('Eva')],
      [`preparedBy=${shortDigest('dev:Eva')}`, preparedBy('Eva')],
      ['preparedBy=nobody', () => false],
      [`createdAt[gte]=${middle.createdAt}`, ({ createdAt }) => createdAt >= middle.createdAt],
      [`createdAt[lt]=${middle.createdAt}`, ({ createdAt }) => createdAt < middle.createdAt],
      ['createdAt[gte]=2020-01-01', () => true],
      ['createdAt[lt]=2020-01-01', () => false],
    ]
  }

  test('200 with every contract, newest first, when nothing is asked for', () => {
    expect(all).toHaveLength(CONTRACTS)
    const ages = all.map(({ createdAt, id }) => `${createdAt} ${id}`)
    expect(ages).toEqual([...ages].sort().reverse())
  })

  test('200 with exactly what each filter means', async () => {
    for (const [query, fits] of filters()) {
      expect(await listed(reader(), query), query).toEqual(idsWhere(fits))
    }
  })

  test('200 with what several filters mean together', async () => {
    const each = filters()
    for (let n = 0; n < COMBINATIONS; n++) {
      const chosen = [
        each[(n * 7) % each.length],
        each[(n * 11 + 3) % each.length],
        each[(n * 5 + 1) % each.length],
      ]
      const byName = new Map(
        chosen.map((one) => [one?.[0].split('=')[0], one as (typeof each)[number]]),
      )
      const query = [...byName.values()].map(([text]) => text).join('&')
      const fits = (contract: Listed) => [...byName.values()].every(([, means]) => means(contract))
      expect(await listed(reader(), query), query).toEqual(idsWhere(fits))
    }
  })

  test('q finds by number, reference, serial number and party name, exactly and by prefix, folded', async () => {
    const [number] = all.map((contract) => contract.number)
    const ofParty = (index: number) => idsWhere(({ partyId }) => partyId === partyIds[index])
    const everyone = idsWhere(() => true)
    const count = async (q: string) => (await listed(reader(), `q=${encodeURIComponent(q)}`)).length
    expect(await listed(reader(), `q=${number}`)).toEqual(idsWhere((one) => one.number === number))
    expect(await listed(reader(), `q=${number?.slice(0, 5)}`)).toEqual(everyone)
    expect([await count('web-1001'), await count('WEB-1'), await count('100')]).toEqual([1, 4, 0])
    expect([await count('vin 8x'), await count('ＶＩＮ'), await count('8X')]).toEqual([1, 4, 0])
    for (const q of ['clara s', ' CLARA SOMMER ', 'sommer', 'Sommer C']) {
      expect(await listed(reader(), `q=${encodeURIComponent(q)}`), q).toEqual(ofParty(0))
    }
    expect(await listed(reader(), `q=${encodeURIComponent('ZO\u0308LL')}`)).toEqual(ofParty(1))
    for (const q of ['straße', 'STRASSENBAU GROSS', 'Strassen']) {
      expect(await listed(reader(), `q=${encodeURIComponent(q)}`), q).toEqual(ofParty(2))
    }
    for (const q of ['ommer', 'groß', '%', '_', "' or true", '\\', '😀', 'x'.repeat(200)]) {
      expect(await count(q), q).toBe(0)
    }
  })

  test('a user whose name looks like an id is found by name and by id', async () => {
    const name = 'abcdef0123456789'
    const { body } = await succeeded(
      as(name).post('/contracts', newContract(partyIds[0] as string)),
    )
    expect(await listed(reader(), `preparedBy=${name}`)).toEqual([body.id])
    expect(await listed(reader(), `preparedBy=${shortDigest(`dev:${name}`)}`)).toEqual([body.id])
    await succeeded(as(name).post(`/contracts/${body.id}/withdraw`, { reason: 'x' }))
  })

  test('200 with own rows only for scoped callers, whatever they ask for (rule 16)', async () => {
    const [first, second] = partnerIds
    const own = idsWhere(({ partnerId }) => partnerId === first)
    const staff = host.as('dora', { permissions: ['contract:read'], partnerId: first as string })
    for (const [query, expected] of [
      ['', own],
      [`partnerId=${first}`, own],
      [`partnerId=${second}`, []],
      ['q=2', own],
      ['q=note', []],
      ['preparedBy=paul&sort=number', undefined],
    ] as const) {
      const seen = await listed(staff, query)
      if (expected) expect(seen, query).toEqual(expected)
      else expect(seen.every((id) => own.includes(id))).toBe(true)
    }
    const clara = host.as('clara', {
      permissions: ['contract:read'],
      partyId: partyIds[0] as string,
    })
    const seen = await listed(clara, '')
    expect(seen.length).toBeGreaterThan(0)
    expect(await listed(clara, `partyId=${partyIds[1]}`)).toEqual([])
    expect(await listed(clara, 'q=zöllner')).toEqual([])
    for (const partyId of ['pty_unknown', "' or true --"]) {
      expect(await listed(host.as('x', { permissions: ['contract:read'], partyId }), '')).toEqual(
        [],
      )
    }
  })

  test('items show to each caller what the contract itself shows', async () => {
    const partnerId = partnerIds[0] as string
    for (const client of [
      reader(),
      host.as('dora', { permissions: ['contract:read'], partnerId }),
      host.as('clara', { permissions: ['contract:read'], partyId: partyIds[0] as string }),
    ]) {
      const { body } = await succeeded(client.get('/contracts?limit=3'))
      for (const item of body.items) {
        expect((await client.get(`/contracts/${item.id}`)).body).toEqual(item)
      }
    }
  })

  test('200 with contract:read or contract:approve, 403 with neither (spec 5.5.3)', async () => {
    expect((await host.as('x', 'contract:approve').get('/contracts')).status).toBe(200)
    const answer = await host.as('x', 'contract:create', 'my:read').get('/contracts')
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
  })

  test.each([
    ['state=OPEN', '/query/state', 'WRONG_FORMAT'],
    ['state=DRAFT,', '/query/state', 'WRONG_FORMAT'],
    ['state=draft', '/query/state', 'WRONG_FORMAT'],
    ['state=DRAFT&state=APPROVED', '/query/state', 'WRONG_TYPE'],
    ['type=CREDIT', '/query/type', 'NOT_ALLOWED'],
    ['sort=name', '/query/sort', 'NOT_ALLOWED'],
    ['sort=--number', '/query/sort', 'NOT_ALLOWED'],
    ['limit=0', '/query/limit', 'TOO_SMALL'],
    ['limit=201', '/query/limit', 'TOO_LARGE'],
    ['limit=ten', '/query/limit', 'WRONG_TYPE'],
    ['limit=1.5', '/query/limit', 'WRONG_TYPE'],
    ['partyId=', '/query/partyId', 'TOO_SHORT'],
    [`partnerId=${'x'.repeat(65)}`, '/query/partnerId', 'TOO_LONG'],
    ['q=', '/query/q', 'TOO_SHORT'],
    ['q=%20', '/query/q', 'WRONG_FORMAT'],
    [`q=${'x'.repeat(201)}`, '/query/q', 'TOO_LONG'],
    ['preparedBy=', '/query/preparedBy', 'TOO_SHORT'],
    ['createdAt[gte]=1', '/query/createdAt[gte]', 'WRONG_FORMAT'],
    ['createdAt[gte]=2026', '/query/createdAt[gte]', 'WRONG_FORMAT'],
    ['createdAt[gte]=2026-02-30', '/query/createdAt[gte]', 'WRONG_FORMAT'],
    ['createdAt[gte]=2026-01-01T10:00:00', '/query/createdAt[gte]', 'WRONG_FORMAT'],
    ['createdAt[lt]=2026-01-01T25:00:00Z', '/query/createdAt[lt]', 'WRONG_FORMAT'],
    ['createdAt[lt]=yesterday', '/query/createdAt[lt]', 'WRONG_FORMAT'],
    ['cursor=x', '/query/cursor', 'CURSOR_FOREIGN'],
    ['stat=DRAFT', '/query/stat', 'UNKNOWN_PARAMETER'],
    ['createdAt=2026-01-01', '/query/createdAt', 'UNKNOWN_PARAMETER'],
  ])('400 for %s', async (query, pointer, code) => {
    expectFaults(await reader().get(`/contracts?${query}`), [{ pointer, code, detail: /./ }])
  })

  test('200 for instants with any offset, 400 that says what is meant', async () => {
    const instant = encodeURIComponent('2020-01-01T01:00:00.5+01:00')
    expect(await listed(reader(), `createdAt[gte]=${instant}`)).toEqual(await listed(reader(), ''))
    const near = await reader().get('/contracts?stat=DRAFT')
    expect(near.body.errors[0].detail).toBe('Unknown parameter "stat". Did you mean "state"?')
  })
})
