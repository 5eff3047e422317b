import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { newPartner, PARTNER_STAFF, partnerOf } from '../../test/partners.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('createPartner on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test('201; a bank account waits for another person and is masked (platform 4)', async () => {
    const staff = host.as('paul', ...PARTNER_STAFF)
    const bankAccount = { iban: 'DE89370400440532013000', holder: 'Nord' }
    const made = await staff.post('/partners', newPartner({ bankAccount }))
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({
      state: 'ACTIVE',
      version: 1,
      pendingChanges: [{ kind: 'PARTNER' }],
    })
    expect(made.body.bankAccount).toBeUndefined()
    expect(made.text).not.toContain(bankAccount.iban)
    expect(made.headers.get('location')).toBe(`/api/v1/partners/${made.body.id}`)
  })

  test('422 CODE_IN_USE for a code that another partner has', async () => {
    const staff = host.as('paul', ...PARTNER_STAFF)
    const given = newPartner()
    await staff.post('/partners', given)
    const second = await staff.post('/partners', given)
    expect(second).toMatchObject({ status: 422, code: 'RULE_VIOLATED' })
    expect(second.body.errors).toMatchObject([{ pointer: '/code', code: 'CODE_IN_USE' }])
  })

  test('400 naming each fault: code, name, kind, IBAN, unknown fields (rule 17)', async () => {
    const staff = host.as('paul', ...PARTNER_STAFF)
    const faults = async (over: Record<string, unknown>) =>
      (await staff.post('/partners', newPartner(over))).body.errors.map(
        ({ pointer }: { pointer: string }) => pointer,
      )
    expect(await faults({ code: 'lower' })).toEqual(['/code'])
    expect(await faults({ name: ' ' })).toEqual(['/name'])
    expect(await faults({ kind: 'SHOP' })).toEqual(['/kind'])
    expect(await faults({ state: 'SUSPENDED', version: 9 })).toEqual(['/state', '/version'])
    expect(await faults({ bankAccount: { iban: 'DE00370400440532013000', holder: 'x' } })).toEqual([
      '/bankAccount/iban',
    ])
  })

  test('403 for partner staff: only the house creates partners', async () => {
    const { id } = await partnerOf(host)
    const dealer = host.as('dealer', { permissions: [...PARTNER_STAFF], partnerId: id })
    expect(await dealer.post('/partners', newPartner())).toMatchObject({
      status: 403,
      code: 'PERMISSION_MISSING',
    })
  })
})
