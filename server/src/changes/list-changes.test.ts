import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IBAN, itemFor, propose, reason, staff, wordsOf } from '../../test/change-stories.ts'
import { forced, pagesOf, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, newContract } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { everyPermission } from '../../test/walk.ts'

interface Listed {
  readonly id: string
  readonly state: string
}

describe.each(STORE_KINDS)('listing changes on %s', (store) => {
  let host: Host
  let itemPath: string
  const ids: string[] = []
  beforeAll(async () => {
    host = await startHost({ store })
    itemPath = await itemFor(host, 'PARTY')
    for (let n = 0; n < 5; n++) {
      const { body } = await succeeded(propose(staff(host, 'paul'), 'PARTY', itemPath))
      ids.unshift(body.id)
      if (n < 4)
        await succeeded(staff(host, 'ana').post(`${itemPath}/changes/${body.id}/reject`, reason))
    }
  })
  afterAll(() => host.close())

  test('200 with every change of the item, newest first, as each reads by itself', async () => {
    const { body } = await succeeded(staff(host, 'paul').get(`${itemPath}/changes`))
    expect(body.items.map(({ id }: Listed) => id)).toEqual(ids)
    expect(body.items.map(({ state }: Listed) => state)).toEqual([
      ...['PENDING', 'REJECTED', 'REJECTED', 'REJECTED', 'REJECTED'],
    ])
    for (const item of body.items) {
      expect((await staff(host, 'paul').get(`${itemPath}/changes/${item.id}`)).body).toEqual(item)
    }
    expect((await staff(host, 'ana').get(`${itemPath}/changes`)).text).not.toContain(IBAN)
  })

  test('each change exactly once, page by page, under ties', async () => {
    await forced(
      host.store,
      'change',
      `update change set created_at = date_trunc('hour', created_at)`,
    )
    const whole = (await pagesOf(staff(host, 'rita'), `${itemPath}/changes`, 200)).flat()
    expect(new Set((whole as Listed[]).map(({ id }) => id))).toEqual(new Set(ids))
    for (const limit of [1, 2, 5])
      expect((await pagesOf(staff(host, 'rita'), `${itemPath}/changes`, limit)).flat()).toEqual(
        whole,
      )
  })

  test('400 for the cursor of another item’s caller, a wrong limit and unknown parameters (rule 16)', async () => {
    const { body } = await succeeded(staff(host, 'rita').get(`${itemPath}/changes?limit=1`))
    const foreign = await staff(host, 'eva').get(`${itemPath}/changes?cursor=${body.nextCursor}`)
    expectFaults(foreign, [{ pointer: '/query/cursor', code: 'CURSOR_FOREIGN', detail: /./ }])
    for (const [query, name, code] of [
      ['limit=0', 'limit', 'TOO_SMALL'],
      ['limit=201', 'limit', 'TOO_LARGE'],
      ['state=PENDING', 'state', 'UNKNOWN_PARAMETER'],
    ]) {
      const answer = await staff(host, 'eva').get(`${itemPath}/changes?${query}`)
      expectFaults(answer, [{ pointer: `/query/${name}`, code: code as string, detail: /./ }])
    }
  })

  test('a partner sees the changes of the parties that it sees, whoever made those (platform 3, rule 16)', async () => {
    const partnerId = await partnerNamed(host.db, 'LISTS')
    const dealer = host.as('dora', { permissions: everyPermission, partnerId })
    const unknown = wordsOf(await dealer.get('/parties/pty_unknown/changes'))
    expect(unknown).toMatchObject({ status: 404 })
    expect(wordsOf(await dealer.get(`${itemPath}/changes`))).toEqual(unknown)
    const partyId = itemPath.split('/')[2] as string
    await createContract(staff(host, 'paul'), newContract(partyId, { partnerId }))
    const { body } = await succeeded(dealer.get(`${itemPath}/changes`))
    expect(body.items).toHaveLength(5)
    const party = await succeeded(dealer.get(itemPath))
    expect(party.body.pendingChanges).toEqual([{ id: ids[0], kind: 'PARTY' }])
    const second = await propose(dealer, 'PARTY', itemPath)
    expect(second).toMatchObject({ status: 409, code: 'CHANGE_ALREADY_PENDING' })
    expect(second.body.changeId).toBe(ids[0])
  })
})
