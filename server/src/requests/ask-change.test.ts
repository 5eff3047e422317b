import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { accountWish, addressWish, WISHED_IBAN, wisher } from '../../test/wishes.ts'

describe.each(STORE_KINDS)('askChange on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('201 and the wish is open; the IBAN comes back masked (platform 5)', async () => {
    const { customer } = await wisher(host)
    const asked = await customer.post('/my/requests', accountWish)
    expect(asked.status, asked.text).toBe(201)
    expect(asked.body).toMatchObject({ kind: 'BANK_ACCOUNT', state: 'OPEN', version: 1 })
    expect(asked.text).not.toContain(WISHED_IBAN)
  })

  test('422 REQUEST_ALREADY_OPEN for a second wish of the same kind', async () => {
    const { customer } = await wisher(host)
    await customer.post('/my/requests', addressWish)
    const second = await customer.post('/my/requests', addressWish)
    expect(second).toMatchObject({ status: 422, code: 'RULE_VIOLATED' })
    expect(second.body.errors[0].code).toBe('REQUEST_ALREADY_OPEN')
    expect((await customer.post('/my/requests', accountWish)).status).toBe(201)
  })

  test('400 naming what the kind needs, what it has not, and a wrong IBAN', async () => {
    const { customer } = await wisher(host)
    const faults = async (body: object) =>
      (await customer.post('/my/requests', body)).body.errors.map(
        ({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`,
      )
    expect(await faults({ kind: 'ADDRESS' })).toEqual(['/address REQUIRED'])
    expect(await faults({ ...addressWish, bankAccount: accountWish.bankAccount })).toEqual([
      '/bankAccount NOT_ALLOWED',
    ])
    const wrong = { iban: 'DE89370400440532013001', holder: 'C' }
    expect(await faults({ kind: 'BANK_ACCOUNT', bankAccount: wrong })).toEqual([
      '/bankAccount/iban IBAN_CHECKSUM',
    ])
  })

  test('403 without a party, and without my:request', async () => {
    const { partyId } = await wisher(host)
    const staff = await host.as('paul', 'my:request').post('/my/requests', addressWish)
    expect(staff).toMatchObject({ status: 403, code: 'PARTY_REQUIRED' })
    const reader = host.as('reader', { permissions: ['my:read'], partyId })
    expect(await reader.post('/my/requests', addressWish)).toMatchObject({
      status: 403,
      code: 'PERMISSION_MISSING',
    })
  })
})
