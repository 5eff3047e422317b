import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reason, staff, wordsOf } from '../../test/change-stories.ts'
import type { Client } from '../../test/client.ts'
import { forced, pagesOf, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { everyPermission } from '../../test/walk.ts'

interface Listed {
  readonly id: string
  readonly state: string
}

describe.each(STORE_KINDS)('listPartners and readPartner on %s', (store) => {
  let host: Host
  const ids: string[] = []
  beforeAll(async () => {
    host = await startHost({ store })
    for (const code of ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'])
      ids.unshift(await partnerNamed(host.db, code))
    for (const id of ids.slice(0, 2))
      await succeeded(staff(host, 'paul').post(`/partners/${id}/suspend`, reason))
  })
  afterAll(() => host.close())

  const listed = async (client: Client, query = ''): Promise<string[]> => {
    const { body } = await succeeded(client.get(`/partners?limit=200${query}`))
    return body.items.map(({ id }: Listed) => id)
  }

  test('200 with every partner, newest first, as each reads by itself (platform 4)', async () => {
    for (const code of ['partner:read', 'partner:approve']) {
      const { body } = await succeeded(host.as('rita', code).get('/partners'))
      expect(body.items.map(({ id }: Listed) => id)).toEqual(ids)
      for (const item of body.items)
        expect((await host.as('rita', code).get(`/partners/${item.id}`)).body).toEqual(item)
    }
  })

  test('state narrows the list; anything else is 400', async () => {
    expect(await listed(staff(host, 'eva'), '&state=SUSPENDED')).toEqual(ids.slice(0, 2))
    expect(await listed(staff(host, 'eva'), '&state=ACTIVE')).toEqual(ids.slice(2))
    for (const [query, name, code] of [
      ['state=GONE', 'state', 'NOT_ALLOWED'],
      ['limit=201', 'limit', 'TOO_LARGE'],
      ['code=ONE', 'code', 'UNKNOWN_PARAMETER'],
    ]) {
      const answer = await staff(host, 'eva').get(`/partners?${query}`)
      expectFaults(answer, [{ pointer: `/query/${name}`, code: code as string, detail: /./ }])
    }
  })

  test('each partner exactly once, page by page, under ties', async () => {
    await forced(
      host.store,
      'partner',
      `update partner set created_at = date_trunc('hour', created_at)`,
    )
    const whole = (await pagesOf(staff(host, 'eva'), '/partners', 200)).flat() as Listed[]
    expect(new Set(whole.map(({ id }) => id))).toEqual(new Set(ids))
    for (const limit of [1, 2, 5])
      expect((await pagesOf(staff(host, 'eva'), '/partners', limit)).flat()).toEqual(whole)
    const suspended = (await pagesOf(staff(host, 'eva'), '/partners?state=SUSPENDED', 1)).flat()
    expect(suspended).toHaveLength(2)
  })

  test('partner staff see their own partner alone, a customer none (platform 3, rule 16)', async () => {
    const [own, other] = [ids[4] as string, ids[3] as string]
    const dealer = host.as('dora', { permissions: everyPermission, partnerId: own })
    expect(await listed(dealer)).toEqual([own])
    expect((await dealer.get(`/partners/${own}`)).status).toBe(200)
    const unknown = wordsOf(await dealer.get('/partners/ptn_unknown'))
    expect(unknown).toMatchObject({ status: 404, detail: 'There is no such partner.' })
    for (const path of [`/partners/${other}`, '/partners/x', "/partners/'%20or%20true"])
      expect(wordsOf(await dealer.get(path)), path).toEqual(unknown)
    const partyId = await createParty(staff(host, 'paul'))
    const contract = await createContract(
      staff(host, 'paul'),
      newContract(partyId, { partnerId: own }),
    )
    for (const link of [{ partyId }, { partyId, partnerId: own }]) {
      const clara = host.as('clara', { permissions: everyPermission, ...link })
      expect(await listed(clara)).toEqual([])
      expect(wordsOf(await clara.get(`/partners/${own}`))).toEqual(unknown)
      const { body } = await succeeded(clara.get(`/contracts/${contract}`))
      expect(body.partner, 'who brought the own contract is no secret').toMatchObject({ id: own })
    }
  })

  test('403 with neither partner:read nor partner:approve (platform 3)', async () => {
    const others = everyPermission.filter((code) => !/^partner:(read|approve)$/.test(code))
    for (const path of ['/partners', `/partners/${ids[0]}`]) {
      const answer = await host.as('eva', ...others).get(path)
      expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    }
  })
})
