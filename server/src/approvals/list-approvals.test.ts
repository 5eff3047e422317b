import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ALL_KINDS,
  type ChangeStory,
  changeIn,
  ITEM_KINDS,
  proposed,
  reason,
  staff,
} from '../../test/change-stories.ts'
import type { Client } from '../../test/client.ts'
import {
  contractIn,
  forced,
  pagesOf,
  partnerNamed,
  succeeded,
} from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { everyPermission } from '../../test/walk.ts'

interface Item {
  readonly kind: string
  readonly id: string
  readonly itemId: string
  readonly own: boolean
  readonly waitingSince: string
  readonly actions: unknown[]
}

describe.each(STORE_KINDS)('listApprovals on %s', (store) => {
  let host: Host
  let partyId: string
  let partnerId: string
  const contracts: string[] = []
  const changes: ChangeStory[] = []
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'QUEUE')
    partyId = await createParty(staff(host, 'paul'), newPerson('Wartend'))
    contracts.push(await createContract(staff(host, 'paul'), newContract(partyId, { partnerId })))
    for (const kind of ALL_KINDS) changes.push(await proposed(host, kind))
    contracts.push(await createContract(staff(host, 'eva'), newContract(partyId)))
  })
  afterAll(() => host.close())

  const listed = async (client: Client, query = ''): Promise<Item[]> =>
    (await succeeded(client.get(`/approvals?limit=200${query}`))).body.items
  const idsIn = (items: readonly Item[]): string[] => items.map(({ id }) => id)

  test('what waits for a decision, oldest first, contracts and changes of every kind (platform 4)', async () => {
    const items = await listed(staff(host, 'ana'))
    expect(idsIn(items)).toEqual([contracts[0], ...changes.map(({ id }) => id), contracts[1]])
    expect(await listed(staff(host, 'ana'), '&view=decide')).toEqual(items)
    const since = items.map(({ waitingSince }) => waitingSince)
    expect(since).toEqual([...since].sort())
    const contract = (await staff(host, 'ana').get(`/contracts/${contracts[0]}`)).body
    expect(items[0]).toMatchObject({
      ...{ kind: 'CONTRACT', id: contract.id, itemId: contract.id, number: contract.number },
      ...{ title: 'Loan for Clara Wartend', party: { id: partyId, displayName: 'Clara Wartend' } },
      ...{
        amount: { amount: '12500.00', currency: 'EUR' },
        waitingSince: contract.approval.submittedAt,
      },
      ...{ preparedBy: [{ username: 'paul' }], version: 1, own: false },
    })
    for (const [place, { kind, id, itemId, path }] of changes.entries()) {
      const change = (await staff(host, 'ana').get(path)).body
      expect(items[place + 1], kind).toMatchObject({
        ...{ kind: 'CHANGE', id, itemId, version: 1, waitingSince: change.createdAt },
        ...{ preparedBy: [{ username: 'paul' }], own: false, actions: change.actions },
      })
    }
    const words = Object.fromEntries(
      changes.map(({ kind }, place) => [
        kind,
        (items[place + 1] as unknown as { title: string }).title,
      ]),
    )
    expect(words['AMENDMENT']).toMatch(/^Amendment of contract \d{4}-\d{6}$/)
    expect(words['PARTY']).toMatch(/^Change of Clara Story \d+$/)
    expect(words['UNBLOCK']).toMatch(/^End of the block of Clara Story \d+$/)
    expect(words['RESUME']).toMatch(/^End of the suspension of Story \d+$/)
  })

  test('one’s own are there and marked, under any spelling of the name; actions as on the item', async () => {
    for (const name of ['paul', 'PAUL']) {
      const items = await listed(staff(host, name))
      expect(items.filter(({ own }) => !own).map(({ id }) => id)).toEqual([contracts[1]])
    }
    for (const client of [staff(host, 'paul'), host.as('ben', 'contract:approve')]) {
      const items = (await listed(client)).filter(({ kind }) => kind === 'CONTRACT')
      for (const item of items) {
        const { body } = await client.get(`/contracts/${item.id}`)
        expect(item.actions).toEqual(body.actions)
      }
    }
  })

  test('each permission to approve shows its own kind of items (platform 3)', async () => {
    for (const item of ['contract', 'party', 'partner'] as const) {
      const shown = idsIn(await listed(host.as('ben', `${item}:approve`)))
      const expected = changes.filter(({ kind }) => ITEM_KINDS[kind] === item).map(({ id }) => id)
      expect(new Set(shown)).toEqual(
        new Set(item === 'contract' ? [...contracts, ...expected] : expected),
      )
    }
    expect(await listed(host.as('ben', 'contract:create', 'party:update'))).toEqual([])
  })

  test('"mine" shows what of mine still waits, to whoever prepared it (platform 4)', async () => {
    const mine = idsIn(await listed(host.as('paul', 'contract:create'), '&view=mine'))
    expect(new Set(mine)).toEqual(new Set([contracts[0], ...changes.map(({ id }) => id)]))
    expect(idsIn(await listed(host.as('eva', 'contract:create'), '&view=mine'))).toEqual([
      contracts[1],
    ])
    expect(await listed(host.as('rita', 'contract:create'), '&view=mine')).toEqual([])
  })

  test('"returned" shows what came back, until it is submitted again (platform 4)', async () => {
    const id = await contractIn(host, 'RETURNED', { partyId })
    await contractIn(host, 'DRAFT', { partyId })
    const returned = async () =>
      idsIn(await listed(host.as('paul', 'contract:create'), '&view=returned'))
    expect(await returned()).toEqual([id])
    expect(await listed(host.as('eva', 'contract:create'), '&view=returned')).toEqual([])
    await succeeded(host.as('paul', 'contract:create').post(`/contracts/${id}/submit`))
    expect(await returned()).toEqual([])
    await succeeded(staff(host, 'paul').post(`/contracts/${id}/withdraw`, reason))
  })

  test('"decided" shows what I decided, newest first; a withdrawal is no decision (platform 4)', async () => {
    const first = await contractIn(host, 'APPROVED', { partyId })
    const second = await changeIn(host, 'PARTY', 'REJECTED')
    const third = await contractIn(host, 'REJECTED', { partyId })
    await changeIn(host, 'PARTY', 'WITHDRAWN')
    const decided = idsIn(await listed(host.as('ana', 'contract:approve'), '&view=decided'))
    expect(decided.slice(0, 3)).toEqual([third, second.id, first])
    expect(await listed(host.as('ben', 'contract:approve'), '&view=decided')).toEqual([])
    const waiting = idsIn(await listed(staff(host, 'ana')))
    for (const id of decided) expect(waiting).not.toContain(id)
  })

  test('each item exactly once, page by page, under ties between both tables', async () => {
    const at = `timestamptz '2026-01-01'`
    await forced(
      host.store,
      'contract',
      `update contract set submitted_at = ${at} where submitted_at is not null`,
    )
    await forced(host.store, 'change', `update change set created_at = ${at}`)
    for (const view of ['decide', 'mine']) {
      const path = `/approvals?view=${view}`
      const whole = (await pagesOf(staff(host, 'paul'), path, 200)).flat() as Item[]
      expect(new Set(idsIn(whole)).size).toBe(whole.length)
      expect(whole.length).toBeGreaterThan(8)
      for (const limit of [1, 3, 4])
        expect((await pagesOf(staff(host, 'paul'), path, limit)).flat()).toEqual(whole)
    }
    const { body } = await succeeded(staff(host, 'paul').get('/approvals?limit=1'))
    for (const [client, query] of [
      [staff(host, 'ana'), ''],
      [staff(host, 'paul'), '&view=mine'],
    ] as const) {
      const answer = await client.get(`/approvals?limit=1${query}&cursor=${body.nextCursor}`)
      expectFaults(answer, [{ pointer: '/query/cursor', code: 'CURSOR_FOREIGN', detail: /./ }])
    }
  })

  test('scoped callers see their own work alone (platform 3, rule 16)', async () => {
    const dealer = host.as('dora', { permissions: everyPermission, partnerId })
    expect(idsIn(await listed(dealer))).toEqual([contracts[0]])
    const clara = host.as('clara', { permissions: everyPermission, partyId })
    expect(new Set(idsIn(await listed(clara)))).toEqual(new Set(contracts))
    const nobody = host.as('x', { permissions: everyPermission, partnerId: 'ptn_unknown' })
    for (const view of ['decide', 'mine', 'returned', 'decided'])
      expect(await listed(nobody, `&view=${view}`)).toEqual([])
  })

  test('403 for whoever neither prepares nor approves, 400 for an unknown view (platform 3)', async () => {
    const reading = everyPermission.filter((code) => /:(read|manage|request)$/.test(code))
    expect(await host.as('rita', ...reading).get('/approvals')).toMatchObject({
      ...{ status: 403, code: 'PERMISSION_MISSING' },
    })
    for (const [query, name, code] of [
      ['view=all', 'view', 'NOT_ALLOWED'],
      ['limit=0', 'limit', 'TOO_SMALL'],
      ['state=PENDING', 'state', 'UNKNOWN_PARAMETER'],
    ]) {
      const answer = await staff(host, 'ana').get(`/approvals?${query}`)
      expectFaults(answer, [{ pointer: `/query/${name}`, code: code as string, detail: /./ }])
    }
  })
})
