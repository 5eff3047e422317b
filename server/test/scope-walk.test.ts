import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../src/http/route.ts'
import { allRoutes } from '../src/surfaces.ts'
import { wordsOf } from './change-stories.ts'
import type { Client, TestAnswer } from './client.ts'
import { type Host, startHost } from './host.ts'
import { STORE_KINDS } from './stores.ts'
import { tableDigests } from './table-digest.ts'
import { type Estate, estateOf } from './two-estates.ts'
import { everyPermission, leastBodyOf, type Parameters, targetOf } from './walk.ts'

/** Two customers and two partners walk over every route, those not yet written too (rule 16). */

const withIds = allRoutes.filter(({ path }) => path.includes(':'))
const withoutIds = allRoutes.filter(({ path }) => !path.includes(':'))

function send(client: Client, route: Route, parameters?: Parameters): Promise<TestAnswer> {
  const target = targetOf(route, parameters)
  if (route.kind === 'query') return client.send(route.streams ? 'HEAD' : 'GET', target)
  const body = leastBodyOf(route)
  return client.send(route.method, `${target}?dryRun=true`, body, { 'if-match': '*' })
}

/** The address that was asked for may be told back; nothing else. */
function leaksIn({ text, headers, body }: TestAnswer, { secrets }: Estate): string[] {
  const told = [
    body?.instance === undefined ? text : text.replaceAll(JSON.stringify(body.instance), ''),
    ...[...headers.values()],
  ]
    .join('\n')
    .toLowerCase()
  return secrets.filter((secret) => told.includes(secret.toLowerCase()))
}

/** Parameters that narrow a list, with the values of an estate in each. */
function queriesFor(route: Route, { partyId, partnerId, number, word }: Estate): string[] {
  const known = Object.keys((route.query as { properties?: object } | undefined)?.properties ?? {})
  const values: Readonly<Record<string, readonly string[]>> = {
    q: [word, `Clara Sommer ${word}`, `REF-${word}`, `S-${word}`, number],
    partyId: [partyId],
    partnerId: [partnerId],
    preparedBy: [`dealer-${word}`, `staff-${word}`],
    view: ['decide', 'mine', 'returned', 'decided'],
    sort: ['createdAt', 'number', '-financedAmount', '-firstDueDate'],
  }
  return [
    '?limit=200',
    ...known.flatMap((name) =>
      (values[name] ?? []).map((value) => `?limit=200&${name}=${encodeURIComponent(value)}`),
    ),
  ]
}

describe.each(STORE_KINDS)('every route with two customers and two partners on %s', (store) => {
  let host: Host
  let estates: readonly [Estate, Estate]
  beforeAll(async () => {
    host = await startHost({ store })
    estates = [await estateOf(host, 'qaaq'), await estateOf(host, 'qbbq')]
  })
  afterAll(() => host.close())

  /** Whoever belongs to the one estate, beside all of the other. */
  const strangers = (): [name: string, client: Client, own: Estate, other: Estate][] => {
    const [a, b] = estates
    const both = (own: Estate): Client =>
      host.as(`both-${own.word}`, {
        ...{ permissions: everyPermission, partyId: own.partyId, partnerId: own.partnerId },
      })
    return [
      [a, b],
      [b, a],
    ].flatMap(([own, other]) => [
      ['customer', (own as Estate).customer, own as Estate, other as Estate],
      ['dealer', (own as Estate).dealer, own as Estate, other as Estate],
      ['both', both(own as Estate), own as Estate, other as Estate],
    ])
  }

  test('404 for a foreign id on every route, word for word that of an unknown one; no foreign byte (rule 16)', async () => {
    const before = await tableDigests(host.store)
    for (const [name, client, , other] of strangers()) {
      for (const route of withIds) {
        const where = `${name} ${route.id}`
        const foreign = await send(client, route, other.parametersOf(route.path))
        const unknown = await send(client, route)
        expect(wordsOf(foreign), `${where} ${foreign.text}`).toEqual(wordsOf(unknown))
        expect([403, 404], where).toContain(foreign.status)
        expect(leaksIn(foreign, other), where).toEqual([])
      }
    }
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('an own item does not open a foreign change below it (rule 16)', async () => {
    for (const [name, client, own, other] of strangers()) {
      for (const route of withIds.filter(({ path }) => path.includes(':change_id'))) {
        const mixed = {
          ...own.parametersOf(route.path),
          change_id: other.parametersOf(route.path)['change_id'] as string,
        }
        const foreign = await send(client, route, mixed)
        const unknown = await send(client, route, { ...mixed, change_id: 'chg_unknown' })
        expect(wordsOf(foreign), `${name} ${route.id}`).toEqual(wordsOf(unknown))
        expect(leaksIn(foreign, other), `${name} ${route.id}`).toEqual([])
      }
    }
  })

  test('no foreign byte in any list, search, sort or answer without an id, nor by another’s cursor (rule 16)', async () => {
    for (const [name, client, own, other] of strangers()) {
      for (const route of withoutIds.filter(({ kind }) => kind === 'query')) {
        for (const query of queriesFor(route, other)) {
          const suffix = route.query === undefined ? '' : query
          const method = route.streams ? 'HEAD' : 'GET'
          const answer = await client.send(method, `${targetOf(route)}${suffix}`)
          const where = `${name} ${route.id} ${suffix}`
          expect([200, 400, 403], `${where} ${answer.text}`).toContain(answer.status)
          expect(leaksIn(answer, other), `${where} ${answer.text.slice(0, 200)}`).toEqual([])
        }
        if (route.query === undefined || route.streams) continue
        const page = await own.dealer.send('GET', `${targetOf(route)}?limit=1`)
        const cursor = page.body?.nextCursor
        if (typeof cursor !== 'string') continue
        const stolen = await other.dealer.send('GET', `${targetOf(route)}?limit=1&cursor=${cursor}`)
        expect(stolen, route.id).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
        expect(leaksIn(stolen, own), route.id).toEqual([])
      }
    }
  })

  test('a body that names foreign rows reads like one that names none (rule 16)', async () => {
    const terms = {
      ...{ financedAmount: { amount: '100.00', currency: 'EUR' }, nominalRate: '1' },
      ...{ termMonths: 12, firstDueDate: '2027-01-31' },
    }
    for (const [name, client, own, other] of strangers()) {
      const contract = (given: object) =>
        client.post('/contracts?dryRun=true', { type: 'LOAN', terms, ...given })
      for (const [foreign, unknown] of [
        [{ partyId: other.partyId }, { partyId: 'pty_unknown' }],
        [
          { partyId: own.partyId, partnerId: other.partnerId },
          { partyId: own.partyId, partnerId: 'ptn_unknown' },
        ],
      ] as const) {
        const answer = await contract(foreign)
        expect(wordsOf(answer), name).toEqual(wordsOf(await contract(unknown)))
        expect(leaksIn(answer, other), name).toEqual([])
      }
      const ids = ['/contracts/', '/parties/', '/partners/'].map((path) => other.parametersOf(path))
      const bulk = await client.post('/approvals/decisions?dryRun=true', {
        decisions: [
          ...[{ kind: 'CONTRACT', id: ids[0]?.['contract_id'], decision: 'APPROVE', version: 2 }],
          ...ids.map(({ change_id: id }) => ({
            kind: 'CHANGE',
            id,
            decision: 'APPROVE',
            version: 1,
          })),
        ],
      })
      const told = bulk.body.result.results.map(({ status }: { status: number }) => status)
      expect(told.slice(1), `${name} ${bulk.text}`).toEqual([404, 404, 404])
      expect(['customer', 'both'].includes(name) ? 403 : 404).toBe(told[0])
    }
    const [a, b] = estates
    const twin = await a.dealer.post('/parties?dryRun=true', {
      ...{ type: 'PERSON', person: { firstName: 'Clara', lastName: `Sommer ${b.word}` } },
      ...{ email: `clara@${b.word}.example.org`, externalRef: `CRM-${b.word}` },
    })
    expect(twin.status, twin.text).toBe(200)
    expect(twin.text).not.toContain(b.partyId)
  })

  test('the owners themselves find their word on the same routes, so that silence means something', async () => {
    for (const own of estates) {
      const found = async (client: Client): Promise<string[]> => {
        const ids: string[] = []
        for (const route of allRoutes.filter(({ kind, streams }) => kind === 'query' && !streams)) {
          const answer = await send(client, route, own.parametersOf(route.path))
          if (answer.text.toLowerCase().includes(own.word)) ids.push(route.id)
        }
        return ids.sort()
      }
      const ofDealer = await found(own.dealer)
      expect(ofDealer).toEqual(
        expect.arrayContaining([
          ...['listContracts', 'readContract', 'listParties', 'readParty', 'listPartners'],
          ...['readPartner', 'listApprovals', 'readHistory', 'listVersions', 'listNotes'],
          ...['listContractChanges', 'readContractChange', 'listPartyChanges', 'readPartyChange'],
          ...['listPartnerChanges', 'readPartnerChange'],
        ]),
      )
      const ofCustomer = await found(own.customer)
      expect(ofCustomer).toEqual(
        expect.arrayContaining([
          'listMyContracts',
          'readMyContract',
          'listMyRequests',
          'readParty',
        ]),
      )
      expect(ofCustomer).not.toContain('listNotes')
      expect(ofCustomer).not.toContain('readPartner')
    }
  })
})
