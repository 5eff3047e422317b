import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { forced, pagesOf, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import {
  createContract,
  createParty,
  newContract,
  newPerson,
  PREPARING,
} from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

interface Listed {
  readonly id: string
  readonly displayName: string
}

const NAMES = ['Sommer', 'Sommerfeld', 'Özdemir', 'Groß', 'van Dyk', 'Sømmer', '李', 'O’Neil']

describe.each(STORE_KINDS)('listParties on %s', (store) => {
  let host: Host
  let [partnerId, ofPartner] = ['', '']
  const ids = new Map<string, string>()
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'OWN')
    for (const name of NAMES) ids.set(name, await createParty(paul(), newPerson(name)))
    const organisation = { type: 'ORGANISATION', organisation: { name: 'Straßenbau Sommer KG' } }
    ids.set('org', await createParty(paul(), organisation))
    ofPartner = await createParty(dealer(), newPerson('Partnered'))
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const dealer = () => host.as('dora', { permissions: PREPARING, partnerId })
  const listed = async (client: Client, query: string): Promise<string[]> => {
    const { body } = await succeeded(client.get(`/parties?limit=200&${query}`))
    return body.items.map(({ id }: Listed) => id)
  }
  const named = (...names: string[]): string[] =>
    names.map((name) => ids.get(name) as string).sort()

  test('200 with every party, newest first, as each reads by itself', async () => {
    const { body } = await succeeded(paul().get('/parties'))
    expect(body.items.map(({ id }: Listed) => id)).toEqual([
      ofPartner,
      ...[...ids.values()].reverse(),
    ])
    for (const item of body.items.slice(0, 3)) {
      expect((await paul().get(`/parties/${item.id}`)).body).toEqual(item)
    }
  })

  test.each([
    ['Clara', NAMES],
    ['clara som', ['Sommer', 'Sommerfeld']],
    ['CLARA SOMMER', ['Sommer', 'Sommerfeld']],
    ['sommer', ['Sommer', 'Sommerfeld']],
    ['Sommer Clara', ['Sommer']],
    ['sommerf', ['Sommerfeld']],
    ['O\u0308ZDEMIR', ['Özdemir']],
    ['GROSS', ['Groß']],
    ['  van   dyk ', ['van Dyk']],
    ['strassenbau', ['org']],
    ['李', ['李']],
    ['o’neil', ['O’Neil']],
    ['ommer', []],
    ['%', []],
    ['Clara_', []],
  ])('q=%s finds %j by the beginning of a name', async (q, expected) => {
    const all = (await listed(paul(), `q=${encodeURIComponent(q)}`)).filter(
      (id) => id !== ofPartner,
    )
    expect(all.sort()).toEqual(named(...expected))
  })

  test('each party exactly once, page by page, under ties', async () => {
    await forced(
      host.store,
      'party',
      `update party set created_at = date_trunc('hour', created_at)`,
    )
    const whole = (await pagesOf(paul(), '/parties', 200)).flat() as Listed[]
    expect(new Set(whole.map(({ id }) => id)).size).toBe(NAMES.length + 2)
    for (const limit of [1, 3, NAMES.length + 2]) {
      expect((await pagesOf(paul(), '/parties', limit)).flat()).toEqual(whole)
    }
    const found = (await pagesOf(paul(), '/parties?q=clara', 2)).flat() as Listed[]
    expect(found).toHaveLength(NAMES.length + 1)
  })

  test('200 with own rows only for scoped callers, whatever they ask for (rule 16)', async () => {
    expect(await listed(dealer(), '')).toEqual([ofPartner])
    expect(await listed(dealer(), 'q=clara')).toEqual([ofPartner])
    expect(await listed(dealer(), 'q=sommer')).toEqual([])
    const linked = ids.get('Groß') as string
    await createContract(paul(), newContract(linked, { partnerId }))
    expect((await listed(dealer(), '')).sort()).toEqual([linked, ofPartner].sort())
    const clara = host.as('clara', { permissions: ['party:read'], partyId: linked })
    expect(await listed(clara, '')).toEqual([linked])
    const unknown = host.as('x', { permissions: ['party:read'], partyId: 'pty_unknown' })
    expect(await listed(unknown, '')).toEqual([])
  })

  test('400 CURSOR_FOREIGN for the cursor of another caller or search (rule 16)', async () => {
    const { body } = await succeeded(paul().get('/parties?limit=1'))
    for (const answer of [
      await dealer().get(`/parties?limit=1&cursor=${body.nextCursor}`),
      await host.as('eva', ...PREPARING).get(`/parties?limit=1&cursor=${body.nextCursor}`),
      await paul().get(`/parties?limit=1&q=clara&cursor=${body.nextCursor}`),
      await paul().get(`/contracts?limit=1&cursor=${body.nextCursor}`),
    ]) {
      expectFaults(answer, [{ pointer: '/query/cursor', code: 'CURSOR_FOREIGN', detail: /./ }])
    }
  })

  test.each([
    ['q=', 'q', 'TOO_SHORT'],
    ['q=%E2%80%8B', 'q', 'WRONG_FORMAT'],
    [`q=${'x'.repeat(201)}`, 'q', 'TOO_LONG'],
    ['limit=0', 'limit', 'TOO_SMALL'],
    ['limit=201', 'limit', 'TOO_LARGE'],
    ['sort=displayName', 'sort', 'UNKNOWN_PARAMETER'],
    ['name=x', 'name', 'UNKNOWN_PARAMETER'],
  ])('400 for %s', async (query, name, code) => {
    const answer = await paul().get(`/parties?${query}`)
    expectFaults(answer, [{ pointer: `/query/${name}`, code, detail: /./ }])
  })

  test('403 PERMISSION_MISSING with neither party:read nor party:approve (spec 5.5.3)', async () => {
    const answer = await host.as('x', 'party:create', 'contract:read').get('/parties')
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
  })
})
