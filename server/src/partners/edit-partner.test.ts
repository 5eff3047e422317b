import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  entriesOf,
  IBAN,
  itemFor,
  MASKED_IBAN,
  OTHER_IBAN,
  proposed,
  staff,
} from '../../test/change-stories.ts'
import { succeeded } from '../../test/contract-stories.ts'
import { expectFaults, expectRefusal } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'

const ANY = { 'if-match': '*' }
const ACCOUNT = { iban: IBAN, holder: 'Nord Auto' }

describe.each(STORE_KINDS)('editPartner on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', 'partner:update', 'partner:read')
  const fresh = () => itemFor(host, 'PARTNER')

  test('200 at once for name and kind, with the reason in the trail (platform 4)', async () => {
    const path = await fresh()
    const patch = { name: 'Süd Auto', kind: 'BROKER', reason: 'Sold.' }
    const answer = await paul().patch(path, patch, { 'if-match': '"1"' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ name: 'Süd Auto', kind: 'BROKER', version: 2 })
    const entry = (await entriesOf(host.db, path.split('/')[2] as string)).at(-1)
    expect(entry).toMatchObject({ action: 'partner.edited', username: 'paul' })
    expect(entry?.diff).toEqual(
      expect.arrayContaining([
        { pointer: '/kind', before: 'DEALER', after: 'BROKER' },
        { pointer: '/reason', before: null, after: 'Sold.' },
      ]),
    )
  })

  test('202 for a bank account: the old one stays until another approves (platform 4)', async () => {
    const path = await fresh()
    const first = await succeeded(paul().patch(path, { bankAccount: ACCOUNT }, ANY))
    expect(first.status).toBe(202)
    expect(first.body).toMatchObject({ kind: 'PARTNER', reason: 'Changed bank account.' })
    expect(first.text).not.toContain(IBAN)
    expect(first.headers.get('location')).toBe(`/api/v1${path}/changes/${first.body.id}`)
    expect((await paul().get(path)).body).not.toHaveProperty('bankAccount')
    await succeeded(staff(host, 'ana').post(`${path}/changes/${first.body.id}/approve`))
    const other = { iban: OTHER_IBAN, holder: 'Nord Auto' }
    const second = await succeeded(paul().patch(path, { bankAccount: other }, ANY))
    expect(second.body.diff).toEqual([
      { pointer: '/bankAccount/iban', before: MASKED_IBAN, after: 'GB82**************5432' },
    ])
    expect((await paul().get(path)).body.bankAccount.iban).toBe(MASKED_IBAN)
    await succeeded(
      staff(host, 'ana').post(`${path}/changes/${second.body.id}/reject`, { reason: 'No.' }),
    )
    expect((await paul().get(path)).body.bankAccount.iban).toBe(MASKED_IBAN)
  })

  test('409 CHANGE_ALREADY_PENDING names the change that waits, for name and kind too', async () => {
    const { id, itemPath } = await proposed(host, 'PARTNER')
    for (const patch of [{ bankAccount: ACCOUNT }, { name: 'X' }, { kind: 'BROKER' }]) {
      const answer = await paul().patch(itemPath, patch, ANY)
      expect(answer).toMatchObject({ status: 409, code: 'CHANGE_ALREADY_PENDING' })
      expect(answer.body.changeId).toBe(id)
    }
  })

  test('428 without If-Match, 412 for another version', async () => {
    const path = await fresh()
    expect(await paul().patch(path, { name: 'X' })).toMatchObject({
      ...{ status: 428, code: 'VERSION_REQUIRED' },
    })
    expect(await paul().patch(path, { name: 'X' }, { 'if-match': '"2"' })).toMatchObject({
      ...{ status: 412, code: 'VERSION_CONFLICT', body: { version: 1 } },
    })
  })

  test('400 and 422 say what to do; a bank account comes alone (rule 17)', async () => {
    const path = await fresh()
    const before = await tableDigests(host.store)
    for (const [patch, pointer, code] of [
      [{ name: ' ' }, '/name', 'WRONG_FORMAT'],
      [{ name: null }, '/name', 'WRONG_TYPE'],
      [{ kind: 'FRIEND' }, '/kind', 'NOT_ALLOWED'],
      [{ code: 'OTHER' }, '/code', 'UNKNOWN_FIELD'],
      [{ state: 'ACTIVE' }, '/state', 'UNKNOWN_FIELD'],
      [{ bankAccount: { iban: IBAN } }, '/bankAccount/holder', 'REQUIRED'],
      [{ bankAccount: { ...ACCOUNT, iban: MASKED_IBAN } }, '/bankAccount/iban', 'IBAN_MASKED'],
    ] as const)
      expectFaults(await paul().patch(path, patch, ANY), [{ pointer, code, detail: /./ }])
    expectFaults(await paul().patch(path, {}, ANY), [{ pointer: '', code: 'INVALID', detail: /./ }])
    for (const more of [{ name: 'X' }, { kind: 'BROKER' }]) {
      const together = await paul().patch(path, { bankAccount: ACCOUNT, ...more }, ANY)
      expectRefusal(together, 422, 'RULE_VIOLATED', [
        { pointer: '/bankAccount', code: 'NOT_TOGETHER', detail: /a request of its own/ },
      ])
    }
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('403 for the partner’s own staff, 404 for others’ (platform 3, rule 16)', async () => {
    const path = await fresh()
    const own = host.as('dora', {
      permissions: everyPermission,
      partnerId: path.split('/')[2] as string,
    })
    const foreign = host.as('dora', { permissions: everyPermission, partnerId: 'ptn_other' })
    for (const patch of [{ name: 'X' }, { bankAccount: ACCOUNT }]) {
      const answer = await own.patch(path, patch, ANY)
      expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
      expect(await foreign.patch(path, patch, ANY)).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      })
    }
    const others = everyPermission.filter((code) => code !== 'partner:update')
    expect((await host.as('eva', ...others).patch(path, { name: 'X' }, ANY)).code).toBe(
      'PERMISSION_MISSING',
    )
  })
})
