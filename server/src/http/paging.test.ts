import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, TestAnswer } from '../../test/client.ts'
import { clientOf } from '../../test/client.ts'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import {
  createContract,
  createParty,
  newContract,
  newPerson,
  PREPARING,
} from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import type { Caller } from '../access/caller.ts'
import { createApp } from '../app.ts'
import { insertParty } from '../parties/index.ts'
import { loggerOf } from '../watching/logger.ts'
import { listen } from './listener.ts'

const PARTIES = 1_000
const CONTRACTS = 24
const SORTS = ['createdAt', 'number', 'financedAmount', 'firstDueDate'].flatMap((key) => [
  key,
  `-${key}`,
])

const seeder: Caller = {
  subject: 'dev:seeder',
  username: 'seeder',
  human: true,
  permissions: new Set(),
  mode: 'developer',
}

/** Every id of a list, page after page, by the cursor. */
async function walked(client: Client, path: string, limit: number): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) })
    const answer: TestAnswer = await client.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
    if (answer.status !== 200) throw new Error(answer.text)
    ids.push(...answer.body.items.map(({ id }: { id: string }) => id))
    cursor = answer.body.nextCursor
  } while (cursor !== null)
  return ids
}

const partsOf = (cursor: string): unknown[] =>
  JSON.parse(Buffer.from(cursor, 'base64url').toString())
const cursorOf = (parts: unknown): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

describe.each(STORE_KINDS)('lists on %s', (store) => {
  let host: Host
  let paul: Client
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    paul = host.as('paul', ...PREPARING)
    await host.db.write({ rows: 'ALL', subject: seeder.subject }, async (tx) => {
      for (let i = 0; i < PARTIES; i++) {
        const person = { firstName: 'Clara', lastName: `Nr${i}` }
        await insertParty(tx, { type: 'PERSON', person }, seeder)
      }
    })
    partyId = await createParty(paul, newPerson('Debtor'))
    for (let i = 0; i < CONTRACTS; i++) {
      const terms = {
        financedAmount: { amount: `${1000 + (i % 3)}.00`, currency: 'EUR' },
        nominalRate: '4',
        termMonths: 12,
        firstDueDate: `2027-0${1 + (i % 4)}-15`,
      }
      await createContract(
        paul,
        newContract(partyId, { terms, ...(i % 6 === 0 && { draft: true }) }),
      )
    }
  })
  afterAll(() => host.close())

  const cursorFor = async (path: string, client = paul): Promise<string> =>
    (await client.get(path)).body.nextCursor
  const expectForeign = (answer: TestAnswer, name?: string): void => {
    expectProblem(answer, 400, 'VALIDATION_FAILED', name)
    expect(answer.body.errors).toMatchObject([{ pointer: '/query/cursor', code: 'CURSOR_FOREIGN' }])
  }

  test('a thousand rows are walked exactly once, newest first (spec 8.1)', async () => {
    const ids = await walked(paul, '/parties', 37)
    expect(ids).toHaveLength(PARTIES + 1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await walked(paul, '/parties', 200)).toEqual(ids)
    expect(await walked(paul, '/parties?q=Clara%20Nr9', 7)).toHaveLength(111)
  })

  test('rows that come meanwhile neither double nor hide a row', async () => {
    const first = await paul.get('/parties?limit=3')
    const newcomer = await createParty(paul, newPerson('Newcomer'))
    const next = await paul.get(`/parties?limit=3&cursor=${first.body.nextCursor}`)
    const ids = [...first.body.items, ...next.body.items].map(({ id }) => id)
    expect(new Set(ids).size).toBe(6)
    expect(ids).not.toContain(newcomer)
  })

  test.each(SORTS)(
    'contracts by %s are walked exactly once, in order, ties included',
    async (sort) => {
      const ids = await walked(paul, `/contracts?sort=${sort}`, 5)
      expect(ids).toHaveLength(CONTRACTS)
      expect(new Set(ids).size).toBe(CONTRACTS)
      expect(await walked(paul, `/contracts?sort=${sort}`, 200)).toEqual(ids)
      const reverse = sort.startsWith('-') ? sort.slice(1) : `-${sort}`
      expect(await walked(paul, `/contracts?sort=${reverse}`, 5)).toEqual(ids.reverse())
    },
  )

  test('the customer surface pages too, without drafts (spec 4.3)', async () => {
    const customer = host.as('carla', { permissions: ['my:read'], partyId })
    const ids = await walked(customer, '/my/contracts', 3)
    expect(ids).toHaveLength(CONTRACTS - CONTRACTS / 6)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('Link names the next page, with the filter, and the last page has none', async () => {
    const answer = await paul.get('/contracts?state=PENDING_APPROVAL&sort=number&limit=11&q=20')
    const link = answer.headers.get('link')
    const [, target] = /^<(\/api\/v1\/contracts\?.*)>; rel="next"$/.exec(link ?? '') ?? []
    const query = new URL(target as string, host.baseUrl).searchParams
    expect(Object.fromEntries(query)).toEqual({
      state: 'PENDING_APPROVAL',
      sort: 'number',
      limit: '11',
      q: '20',
      cursor: answer.body.nextCursor,
    })
    const next = await paul.get(target as string)
    expect(next.body.items).toHaveLength(9)
    expect(next.headers.get('link')).toBeNull()
    expect(next.body.nextCursor).toBeNull()
    const questioning = await paul.get('/parties?limit=1&q=Clara')
    expect(questioning.headers.get('link')).toContain('q=Clara')
  })

  test('50 by default, 1 to 200 by wish, 400 outside (spec 8.1)', async () => {
    expect((await paul.get('/parties')).body.items).toHaveLength(50)
    for (const limit of [1, 200])
      expect((await paul.get(`/parties?limit=${limit}`)).body.items).toHaveLength(limit)
    for (const limit of [
      '0',
      '201',
      '-1',
      '1.5',
      'x',
      '',
      '1e9',
      '99999999999999999999',
      'NaN',
      '0x1g',
      'null',
      'true',
    ])
      for (const path of ['/parties', '/contracts']) {
        const answer = await paul.get(`${path}?limit=${limit}`)
        expectProblem(answer, 400, 'VALIDATION_FAILED', `${path} ${limit}`)
        expect(answer.body.errors).toMatchObject([{ pointer: '/query/limit' }])
      }
  })

  test('400 for the cursor of another caller, scope, list, filter or sort (rule 16)', async () => {
    const cursor = await cursorFor('/contracts?limit=2&sort=number&state=DRAFT')
    const same = `/contracts?limit=4&sort=number&state=DRAFT&cursor=${cursor}`
    expect((await paul.get(same)).status).toBe(200)
    expectForeign(await host.as('ben', ...PREPARING).get(same), 'another caller')
    for (const link of [{ partyId }, { partnerId: 'ptn_any' }])
      expectForeign(
        await host.as('paul', { permissions: [...PREPARING], ...link }).get(same),
        'scope',
      )
    for (const query of [
      'sort=number',
      'sort=-number&state=DRAFT',
      'state=DRAFT',
      'sort=number&state=APPROVED',
      'sort=number&state=DRAFT&q=x',
    ])
      expectForeign(await paul.get(`/contracts?limit=2&${query}&cursor=${cursor}`), query)
    expectForeign(await paul.get(`/parties?cursor=${cursor}`), 'another list')
    const both = host.as('carla', { permissions: ['contract:read'], partyId })
    const ops = await cursorFor('/contracts?limit=2', both)
    expectForeign(await both.get(`/my/contracts?cursor=${ops}`), 'the other surface')
  })

  test('400 for garbage in the place of a cursor', async () => {
    const good = await cursorFor('/parties?limit=2')
    const garbage = [
      'x',
      '%00',
      'null',
      good.slice(0, -3),
      `${good}!`,
      `${good}=`,
      `${good}AAAA`,
      encodeURIComponent('😀'),
      'x'.repeat(1_024),
      cursorOf({}),
      cursorOf([]),
      cursorOf('x'),
      cursorOf([1, 2]),
      cursorOf(null),
    ]
    for (const cursor of garbage) {
      const answer = await paul.get(`/parties?limit=2&cursor=${cursor}`)
      expectProblem(answer, 400, 'VALIDATION_FAILED', cursor)
    }
    for (const cursor of ['', 'x'.repeat(1_025)])
      expectProblem(await paul.get(`/parties?cursor=${cursor}`), 400, 'VALIDATION_FAILED')
  })

  test('400, never 5xx, for a forged position behind a true binding', async () => {
    const values = [
      '',
      'x',
      '\0',
      '2026-13-01T00:00:00.000Z',
      '2026-01-01',
      '-1',
      'NaN',
      'infinity',
      '+275760-09-13T00:00:00.000Z',
      '-000001-01-01T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '1e5',
      "'; drop table party",
      '99999999999999999999',
      '\ud800',
    ]
    for (const list of [
      '/parties?limit=2',
      ...SORTS.map((sort) => `/contracts?limit=2&sort=${sort}`),
    ]) {
      const [binding, value, id] = partsOf(await cursorFor(list)) as [string, string, string]
      const malformed = [
        ...['', '\0', 'x'.repeat(65)].map((text) => [binding, value, text]),
        [binding],
        [binding, value],
        [binding, value, id, id],
        [binding, Number(value), id],
        [binding, null, id],
      ]
      for (const parts of malformed)
        expectForeign(await paul.get(`${list}&cursor=${cursorOf(parts)}`), JSON.stringify(parts))
      for (const text of values) {
        const answer = await paul.get(`${list}&cursor=${cursorOf([binding, text, id])}`)
        expect(answer.status, `${list} ${text}`).toBeLessThan(500)
        if (!/sort=-?(?:number|financed|first)/.test(list)) expectForeign(answer, `${list} ${text}`)
      }
    }
  })

  test('a forged position shows nobody else’s rows (rule 16)', async () => {
    const foreign = host.as('paul', { permissions: [...PREPARING], partnerId: 'ptn_other' })
    const [, value] = partsOf(await cursorFor('/contracts?limit=2&sort=createdAt')) as string[]
    for (const path of ['/contracts?sort=createdAt', '/parties']) {
      const answer = await foreign.get(path)
      expect(answer.body).toEqual({ items: [], nextCursor: null })
      const bare = await foreign.get(
        `${path}${path.includes('?') ? '&' : '?'}cursor=${cursorOf(['0'.repeat(16), value, 'ctr_0'])}`,
      )
      expectForeign(bare, path)
    }
  })

  test('a cursor is valid in another process of the same platform', async () => {
    const app = await createApp({
      config: host.config,
      db: host.db,
      pendingMigrations: async () => [],
      log: loggerOf('silent'),
      version: '0',
    })
    const listener = await listen(['127.0.0.1'], 0, app.handle)
    const elsewhere = clientOf(
      `http://127.0.0.1:${listener.port}`,
      host.headersOf('paul', { permissions: [...PREPARING] }),
    )
    const path = `/parties?limit=2&cursor=${await cursorFor('/parties?limit=2')}`
    expect((await elsewhere.get(path)).text).toBe((await paul.get(path)).text)
    await listener.close(0)
    await app.close()
  })
})
