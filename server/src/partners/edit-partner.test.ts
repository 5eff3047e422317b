import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { PARTNER_STAFF, partnerOf } from '../../test/partners.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('editPartner on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const bankAccount = { iban: 'DE89370400440532013000', holder: 'Nord' }

  test('200 at once for name and kind; 428 without and 412 with the wrong version', async () => {
    const { id } = await partnerOf(host)
    const staff = host.as('paul', ...PARTNER_STAFF)
    expect((await staff.patch(`/partners/${id}`, { name: 'Neu' })).code).toBe('VERSION_REQUIRED')
    const edited = await staff.patch(`/partners/${id}`, { name: 'Neu' }, { 'if-match': '"1"' })
    expect(edited.body, edited.text).toMatchObject({ name: 'Neu', version: 2 })
    const stale = await staff.patch(`/partners/${id}`, { name: 'Alt' }, { 'if-match': '"1"' })
    expect(stale).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
  })

  test('202 for a bank account: in force when another approves, once at a time (platform 4)', async () => {
    const { id } = await partnerOf(host)
    const staff = host.as('paul', ...PARTNER_STAFF)
    const asked = await staff.patch(`/partners/${id}`, { bankAccount }, { 'if-match': '*' })
    expect(asked.status, asked.text).toBe(202)
    const second = await staff.patch(`/partners/${id}`, { bankAccount }, { 'if-match': '*' })
    expect(second).toMatchObject({ status: 409, code: 'CHANGE_ALREADY_PENDING' })
    const path = `/partners/${id}/changes/${asked.body.id}/approve`
    expect((await host.as('paul', 'partner:approve').post(path)).code).toBe('FOUR_EYES_SAME_USER')
    expect((await host.as('ana', 'partner:approve').post(path)).status).toBe(200)
    const partner = await staff.get(`/partners/${id}`)
    expect(partner.body.bankAccount).toEqual({ iban: 'DE89**************3000', holder: 'Nord' })
  })

  test('422 when a bank account comes together with something else', async () => {
    const { id } = await partnerOf(host)
    const answer = await host
      .as('paul', ...PARTNER_STAFF)
      .patch(`/partners/${id}`, { name: 'Neu', bankAccount }, { 'if-match': '*' })
    expect(answer.body.errors).toMatchObject([{ code: 'NOT_TOGETHER' }])
  })
})
