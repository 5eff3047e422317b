import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forced, pagesOf, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { SORTS } from './list-sort.ts'

interface Listed {
  readonly id: string
  readonly number: string
  readonly createdAt: string
  readonly terms: {
    readonly financedAmount: { readonly amount: string }
    readonly firstDueDate: string
  }
}

const CONTRACTS = 17
/** Few values for many contracts: most of them are equal to a neighbour. */
const AMOUNTS = ['900.00', '1000.00', '1000.00', '10000.00', '999999999999999.00']
const DAYS = ['1950-01-31', '2027-01-31', '2027-01-31', '2150-12-31']

const VALUES: Readonly<Record<string, (contract: Listed) => string | number>> = {
  createdAt: ({ createdAt }) => createdAt,
  number: ({ number }) => number,
  financedAmount: ({ terms }) => Number(terms.financedAmount.amount),
  firstDueDate: ({ terms }) => terms.firstDueDate,
}

/** By value, then by id, both in the direction asked for. */
function sorted(all: readonly Listed[], sort: string): string[] {
  const direction = sort.startsWith('-') ? -1 : 1
  const value = VALUES[sort.replace('-', '')] as (typeof VALUES)[string]
  const compared = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0)
  return [...all]
    .sort((a, b) => direction * (compared(value(a), value(b)) || compared(a.id, b.id)))
    .map(({ id }) => id)
}

describe.each(STORE_KINDS)('pages of contracts on %s', (store) => {
  let host: Host
  let partyId: string
  let partnerId: string
  let all: Listed[] = []
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
    partnerId = await partnerNamed(host.db, 'A')
    for (let n = 0; n < CONTRACTS; n++) {
      const { terms } = newContract(partyId)
      const amount = { amount: AMOUNTS[n % AMOUNTS.length], currency: 'EUR' }
      await createContract(paul(), {
        ...newContract(partyId),
        terms: { ...terms, financedAmount: amount, firstDueDate: DAYS[n % DAYS.length] },
        ...(n % 3 === 0 && { partnerId }),
      })
    }
    await forced(
      host.store,
      'contract',
      `update contract set created_at = date_trunc('minute', created_at)
        where right(number, 1) in ('1', '2', '3', '4')`,
    )
    all = (await succeeded(paul().get('/contracts?limit=200'))).body.items
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const idsOf = (pages: unknown[][]): string[] => (pages.flat() as Listed[]).map(({ id }) => id)

  test.each(SORTS)(
    'each contract exactly once by %s, whatever the page, under ties',
    async (sort) => {
      expect(all).toHaveLength(CONTRACTS)
      for (const limit of [1, 4, CONTRACTS, CONTRACTS - 1, 200]) {
        const pages = await pagesOf(paul(), `/contracts?sort=${sort}`, limit)
        expect(idsOf(pages), `${sort} ${limit}`).toEqual(sorted(all, sort))
        expect(pages).toHaveLength(Math.ceil(CONTRACTS / limit))
      }
    },
  )

  test('each contract of a filter and of a partner exactly once', async () => {
    const filtered = await pagesOf(
      paul(),
      `/contracts?partnerId=${partnerId}&sort=-financedAmount`,
      2,
    )
    const staff = host.as('dora', { permissions: ['contract:read'], partnerId })
    const own = await pagesOf(staff, '/contracts?sort=-financedAmount', 2)
    expect(idsOf(own)).toEqual(idsOf(filtered))
    expect(idsOf(own)).toHaveLength(Math.ceil(CONTRACTS / 3))
  })

  test('Link says where the next page is, and the last page has none', async () => {
    const first = await paul().get('/contracts?sort=number&limit=10')
    const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] as string
    const second = await succeeded(paul().get(link))
    expect(idsOf([first.body.items, second.body.items])).toEqual(sorted(all, 'number'))
    expect(second.body.nextCursor).toBeNull()
    expect(second.headers.get('link')).toBeNull()
  })

  test('400 CURSOR_FOREIGN for the cursor of another caller, filter, sort or list (rule 16)', async () => {
    const { body } = await succeeded(paul().get('/contracts?sort=number&limit=2'))
    const cursor = body.nextCursor
    const eva = host.as('eva', ...PREPARING)
    const scoped = host.as('paul', { permissions: PREPARING, partnerId })
    for (const answer of [
      await eva.get(`/contracts?sort=number&limit=2&cursor=${cursor}`),
      await scoped.get(`/contracts?sort=number&limit=2&cursor=${cursor}`),
      await paul().get(`/contracts?sort=-number&limit=2&cursor=${cursor}`),
      await paul().get(`/contracts?limit=2&cursor=${cursor}`),
      await paul().get(`/contracts?sort=number&state=DRAFT&limit=2&cursor=${cursor}`),
      await paul().get(`/parties?cursor=${cursor}`),
      await paul().get(`/contracts?sort=number&limit=2&cursor=${cursor.slice(0, -4)}`),
      await paul().get(`/contracts?sort=number&cursor=${Buffer.from('[1]').toString('base64url')}`),
    ]) {
      expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(answer.body.errors[0]).toMatchObject({ pointer: '/query/cursor' })
    }
    const smaller = await paul().get(`/contracts?sort=number&limit=1&cursor=${cursor}`)
    expect(idsOf([smaller.body.items])).toEqual(sorted(all, 'number').slice(2, 3))
  })

  test('a forged position is refused or empty, never a fault', async () => {
    for (const sort of SORTS) {
      const { body } = await succeeded(paul().get(`/contracts?sort=${sort}&limit=1`))
      const [binding, value, id] = JSON.parse(Buffer.from(body.nextCursor, 'base64url').toString())
      for (const position of [
        [value, '\0'],
        [value, '\ud800'],
        [value, 'x'.repeat(300)],
        ['x', id],
        ['', ''],
        ['1e9', id],
        ['NaN', id],
        ['infinity', id],
        ['2026-02-31', id],
        ['9999-12-31T23:59:59.999Z', id],
        ['-1', id],
        ["' or true --", id],
        [id],
        [],
        ['1', '2', '3'],
      ]) {
        const cursor = Buffer.from(JSON.stringify([binding, ...position])).toString('base64url')
        const answer = await paul().get(`/contracts?sort=${sort}&limit=1&cursor=${cursor}`)
        expect([200, 400], `${sort} ${position}`).toContain(answer.status)
      }
    }
  })

  test('whoever pages on meets each old contract once, though new ones come', async () => {
    const first = await succeeded(paul().get('/contracts?sort=-createdAt&limit=5'))
    await createContract(paul(), newContract(partyId))
    const rest = await succeeded(
      paul().get(`/contracts?sort=-createdAt&limit=5&cursor=${first.body.nextCursor}`),
    )
    expect(idsOf([first.body.items, rest.body.items])).toEqual(
      sorted(all, '-createdAt').slice(0, 10),
    )
  })
})
