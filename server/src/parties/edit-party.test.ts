import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  changeIn,
  entriesOf,
  IBAN,
  MASKED_IBAN,
  proposed,
  staff,
} from '../../test/change-stories.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'

const ANY = { 'if-match': '*' }
const ADDRESS = { street: 'Am Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' }
const ACCOUNT = { iban: IBAN, holder: 'Clara Sommer' }

/** What another person decides, and the row of the diff that tells of it. */
const SENSITIVE: readonly (readonly [patch: object, pointer: string, after: unknown])[] = [
  [{ person: { firstName: 'Carla' } }, '/person/firstName', 'Carla'],
  [{ person: { lastName: 'Winter' } }, '/person/lastName', 'Winter'],
  [{ person: { birthDate: '1980-02-29' } }, '/person/birthDate', '1980-02-29'],
  [{ email: 'c@example.org' }, '/email', 'c@example.org'],
  [{ phone: '+4930123456' }, '/phone', '+4930123456'],
  [{ address: ADDRESS }, '/address/street', 'Am Ring 1'],
  [{ bankAccount: ACCOUNT }, '/bankAccount/iban', MASKED_IBAN],
]

describe.each(STORE_KINDS)('editParty on %s', (store) => {
  let host: Host
  let count = 0
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', 'party:create', 'party:read', 'party:update')
  const ana = () => host.as('ana', 'party:approve')
  const fresh = (more = {}) => createParty(paul(), newPerson(`Sommer ${++count}`, more))

  test.each(SENSITIVE)(
    '202 for %j: it waits, the old value stays in force (platform 4)',
    async (patch, pointer, after) => {
      const path = `/parties/${await fresh()}`
      const before = await succeeded(paul().get(path))
      const asked = await paul().patch(
        path,
        { ...patch, reason: 'Told us.' },
        { 'if-match': '"1"' },
      )
      expect(asked.status, asked.text).toBe(202)
      expect(asked.body).toMatchObject({
        ...{ kind: 'PARTY', state: 'PENDING', baseVersion: 1, reason: 'Told us.' },
      })
      expect(asked.headers.get('location')).toBe(`/api/v1${path}/changes/${asked.body.id}`)
      expect(asked.body.diff.map((row: { pointer: string }) => row.pointer)).toContain(pointer)
      const row = asked.body.diff.find((each: { pointer: string }) => each.pointer === pointer)
      expect(row.after).toBe(after)
      const waiting = await succeeded(paul().get(path))
      expect(waiting.body).toMatchObject({
        ...{ version: 1, pendingChanges: [{ id: asked.body.id, kind: 'PARTY' }] },
      })
      expect({ ...waiting.body, pendingChanges: [], actions: [] }).toEqual({
        ...{ ...before.body, actions: [] },
      })
      await succeeded(ana().post(`${path}/changes/${asked.body.id}/approve`))
      const { text, body } = await succeeded(paul().get(path))
      expect(text).toContain(String(after))
      expect(body).toMatchObject({ version: 2, pendingChanges: [], updatedBy: { username: 'ana' } })
    },
  )

  test('200 at once for language and external reference, with the reason in the trail', async () => {
    const id = await fresh()
    const patch = { language: 'de', externalRef: 'CRM-9', reason: 'Known by now.' }
    const answer = await paul().patch(`/parties/${id}`, patch, { 'if-match': '"1"' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ language: 'de', externalRef: 'CRM-9', version: 2 })
    expect((await entriesOf(host.db, id)).at(-1)).toMatchObject({
      action: 'party.edited',
      diff: expect.arrayContaining([{ pointer: '/reason', before: null, after: 'Known by now.' }]),
    })
    const gone = await paul().patch(`/parties/${id}`, { language: null }, ANY)
    expect(gone.body).not.toHaveProperty('language')
  })

  test('one change carries everything that was asked for, plain fields too', async () => {
    const path = `/parties/${await fresh({ email: 'old@example.org' })}`
    const patch = { email: null, phone: '+4930123456', language: 'de', bankAccount: ACCOUNT }
    const { body } = await succeeded(paul().patch(path, patch, ANY))
    const rows = [
      { pointer: '/email', before: 'old@example.org', after: null },
      { pointer: '/phone', before: null, after: '+4930123456' },
      { pointer: '/language', before: null, after: 'de' },
      { pointer: '/bankAccount/iban', before: null, after: MASKED_IBAN },
      { pointer: '/bankAccount/holder', before: null, after: 'Clara Sommer' },
    ]
    expect(body.diff).toHaveLength(rows.length)
    expect(body.diff).toEqual(expect.arrayContaining(rows))
    expect((await paul().get(path)).body).not.toHaveProperty('language')
    await succeeded(ana().post(`${path}/changes/${body.id}/approve`))
    const after = await succeeded(paul().get(path))
    expect(after.body).toMatchObject({ language: 'de', bankAccount: { iban: MASKED_IBAN } })
    expect(after.body).not.toHaveProperty('email')
    const away = await succeeded(paul().patch(path, { bankAccount: null }, ANY))
    await succeeded(ana().post(`${path}/changes/${away.body.id}/approve`))
    expect((await paul().get(path)).body).not.toHaveProperty('bankAccount')
  })

  test('a person can turn out to be an organisation', async () => {
    const path = `/parties/${await fresh()}`
    const patch = { type: 'ORGANISATION', person: null, organisation: { name: 'Sommer KG' } }
    const { body } = await succeeded(paul().patch(path, patch, ANY))
    await succeeded(ana().post(`${path}/changes/${body.id}/approve`))
    const after = await succeeded(paul().get(path))
    expect(after.body).toMatchObject({ type: 'ORGANISATION', displayName: 'Sommer KG' })
    expect(after.body).not.toHaveProperty('person')
    expect((await paul().get('/parties?q=sommer%20kg')).body.items).toHaveLength(1)
  })

  test('200 and no change waits when nothing sensitive differs', async () => {
    const path = `/parties/${await fresh({ email: 'c@example.org', address: ADDRESS })}`
    for (const patch of [
      { email: 'c@example.org' },
      { address: { city: 'Berlin' } },
      { person: { firstName: 'Clara' } },
      { bankAccount: null },
    ])
      expect((await paul().patch(path, patch, ANY)).body.pendingChanges).toEqual([])
  })

  test('428 VERSION_REQUIRED without If-Match, 412 VERSION_CONFLICT with another version (platform 4)', async () => {
    const path = `/parties/${await fresh()}`
    const before = await tableDigests(host.store)
    const none = await paul().patch(path, { language: 'de' })
    expect(none).toMatchObject({ status: 428, code: 'VERSION_REQUIRED' })
    const old = await paul().patch(path, { language: 'de' }, { 'if-match': '"2"' })
    expect(old).toMatchObject({ status: 412, code: 'VERSION_CONFLICT', body: { version: 1 } })
    expect(await tableDigests(host.store)).toEqual(before)
    const etag = (await paul().get(path)).headers.get('etag') as string
    expect((await paul().patch(path, { language: 'de' }, { 'if-match': etag })).status).toBe(200)
  })

  test('409 CHANGE_ALREADY_PENDING names the change that waits, for plain fields too (platform 4)', async () => {
    const { id, itemPath } = await proposed(host, 'PARTY')
    for (const patch of [
      { email: 'x@example.org' },
      { bankAccount: ACCOUNT },
      { language: 'de' },
    ]) {
      const answer = await paul().patch(itemPath, patch, ANY)
      expect(answer).toMatchObject({ status: 409, code: 'CHANGE_ALREADY_PENDING' })
      expect(answer.body.changeId).toBe(id)
    }
  })

  test('409 INVALID_STATE once the party is erased', async () => {
    const { itemPath } = await changeIn(host, 'ERASURE', 'APPROVED')
    const answer = await paul().patch(itemPath, { language: 'de' }, ANY)
    expect(answer).toMatchObject({ status: 409, code: 'INVALID_STATE' })
    expect(answer.body).toMatchObject({ state: 'ERASED', allowedStates: ['ACTIVE', 'BLOCKED'] })
  })

  test('400 with pointer, code and sentence for what the party would not be (rule 17)', async () => {
    const path = `/parties/${await fresh()}`
    const before = await tableDigests(host.store)
    for (const [patch, pointer, code] of [
      [{ email: 'nobody' }, '/email', 'WRONG_FORMAT'],
      [{ person: { lastName: '' } }, '/person/lastName', 'TOO_SHORT'],
      [{ person: { lastName: null } }, '/person/lastName', 'REQUIRED'],
      [{ person: null }, '/person', 'REQUIRED'],
      [{ type: null }, '/type', 'REQUIRED'],
      [{ organisation: { name: 'X' } }, '/organisation', 'NOT_ALLOWED'],
      [{ person: { birthDate: '2021-02-29' } }, '/person/birthDate', 'DATE_NOT_CALENDAR'],
      [{ person: { birthDate: '2199-01-01' } }, '/person/birthDate', 'DATE_IN_FUTURE'],
      [{ address: { ...ADDRESS, country: 'ZZ' } }, '/address/country', 'COUNTRY_UNKNOWN'],
      [{ address: { ...ADDRESS, country: 'de' } }, '/address/country', 'WRONG_FORMAT'],
      [{ address: { street: 'X' } }, '/address/city', 'REQUIRED'],
      [{ bankAccount: { iban: IBAN } }, '/bankAccount/holder', 'REQUIRED'],
      [{ bankAccount: { ...ACCOUNT, holder: ' ' } }, '/bankAccount/holder', 'WRONG_FORMAT'],
      [{ bankAccount: { ...ACCOUNT, bic: 'X' } }, '/bankAccount/bic', 'UNKNOWN_FIELD'],
      [{ bankAccount: 'X' }, '/bankAccount', 'WRONG_TYPE'],
      [{ bankAccount: { ...ACCOUNT, iban: MASKED_IBAN } }, '/bankAccount/iban', 'IBAN_MASKED'],
      [{ reason: '' }, '/reason', 'TOO_SHORT'],
      ...[
        'state',
        'version',
        'id',
        'displayName',
        'preparers',
        'allowDuplicate',
        'pendingChanges',
      ].map((name) => [{ [name]: 'x' }, `/${name}`, 'UNKNOWN_FIELD'] as const),
    ] as const) {
      const answer = await paul().patch(path, patch, ANY)
      const found = (answer.body.errors ?? []).map((each: { pointer: string }) => each.pointer)
      expect(answer.status, `${pointer} ${answer.text}`).toBe(400)
      expect(found, answer.text).toContain(pointer)
      const fault = answer.body.errors.find((each: { pointer: string }) => each.pointer === pointer)
      expect(fault.code, answer.text).toBe(code)
    }
    expectFaults(await paul().patch(path, {}, ANY), [{ pointer: '', code: 'INVALID', detail: /./ }])
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('202 for whoever sees the party and may update: its partners, and itself (platform 3)', async () => {
    const partnerId = await partnerNamed(host.db, 'EDITS')
    const dealer = host.as('dora', { permissions: everyPermission, partnerId })
    const created = await createParty(dealer, newPerson(`Sommer ${++count}`))
    const linked = await fresh()
    await createContract(staff(host, 'paul'), newContract(linked, { partnerId }))
    for (const id of [created, linked]) {
      const asked = await dealer.patch(`/parties/${id}`, { phone: '+4930123456' }, ANY)
      expect(asked.status, asked.text).toBe(202)
      await succeeded(ana().post(`/parties/${id}/changes/${asked.body.id}/approve`))
      const plain = await dealer.patch(`/parties/${id}`, { language: 'de' }, ANY)
      expect(plain.body, plain.text).toMatchObject({ language: 'de', version: 3 })
    }
    const clara = host.as('clara', { permissions: everyPermission, partyId: linked })
    expect((await clara.patch(`/parties/${linked}`, { email: 'c@x.org' }, ANY)).status).toBe(202)
    const foreign = await clara.patch(`/parties/${created}`, { email: 'c@x.org' }, ANY)
    expect(foreign).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })

  test('values of a person stand in the trail as hashes (platform 9)', async () => {
    const { itemId } = await changeIn(host, 'PARTY', 'APPROVED')
    const entries = JSON.stringify(await entriesOf(host.db, itemId))
    expect(entries).toContain('/bankAccount/holder')
    expect(entries).toContain('sha256')
    expect(entries).not.toMatch(/Clara|Story/)
  })
})
