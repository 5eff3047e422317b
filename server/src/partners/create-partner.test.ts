import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesOf, IBAN, MASKED_IBAN, staff } from '../../test/change-stories.ts'
import { succeeded } from '../../test/contract-stories.ts'
import { expectFaults, expectRefusal } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'

const DEALER = { code: 'NORDAUTO', name: 'Nord Auto', kind: 'DEALER' }

describe.each(STORE_KINDS)('createPartner on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', 'partner:create', 'partner:read')
  const tried = (body: unknown) => paul().post('/partners?dryRun=true', body)

  test('201 with the partner, found at its location (platform 4)', async () => {
    const made = await paul().post('/partners', DEALER)
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({
      ...DEALER,
      id: expect.stringMatching(/^ptn_[0-9a-z]{26}$/),
      ...{ state: 'ACTIVE', version: 1, pendingChanges: [] },
      ...{ createdBy: { username: 'paul' }, updatedBy: { username: 'paul' } },
    })
    expect(made.headers.get('location')).toBe(`/api/v1/partners/${made.body.id}`)
    expect((await paul().get(`/partners/${made.body.id}`)).body).toEqual(made.body)
    expect(await entriesOf(host.db, made.body.id)).toMatchObject([
      { action: 'partner.created', outcome: 'DONE', username: 'paul' },
    ])
  })

  test('422 CODE_IN_USE when another partner has the code (platform 4)', async () => {
    await succeeded(paul().post('/partners', { ...DEALER, code: 'TWICE' }))
    const before = await tableDigests(host.store)
    const again = await paul().post('/partners', { ...DEALER, code: 'TWICE', name: 'Other' })
    expectRefusal(again, 422, 'RULE_VIOLATED', [
      { pointer: '/code', code: 'CODE_IN_USE', detail: /^The code TWICE belongs to another/ },
    ])
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('201 and a bank account waits for another person (platform 4)', async () => {
    const account = { iban: IBAN, holder: 'Konto Inhaber' }
    const given = { ...DEALER, code: 'BANKED', bankAccount: account }
    const made = await succeeded(paul().post('/partners', given))
    expect(made.text).not.toContain(IBAN)
    expect(made.body).not.toHaveProperty('bankAccount')
    const [change] = made.body.pendingChanges
    expect(change).toMatchObject({ kind: 'PARTNER' })
    const path = `/partners/${made.body.id}`
    const own = await host
      .as('paul', 'partner:approve')
      .post(`${path}/changes/${change.id}/approve`)
    expect(own.code).toBe('FOUR_EYES_SAME_USER')
    await succeeded(host.as('ana', 'partner:approve').post(`${path}/changes/${change.id}/approve`))
    expect((await paul().get(path)).body).toMatchObject({
      bankAccount: { iban: MASKED_IBAN, holder: 'Konto Inhaber' },
      version: 2,
    })
    expect(JSON.stringify(await entriesOf(host.db, made.body.id))).not.toMatch(/DE89|Inhaber/)
  })

  test('200 for every value at its limits, 400 beyond them (rule 17)', async () => {
    for (const accepted of [
      { code: 'A1' },
      { code: '1-' },
      { code: 'A'.repeat(32) },
      { name: 'é' },
      { name: 'x'.repeat(200) },
      { kind: 'BROKER' },
      { kind: 'VENDOR' },
    ])
      expect((await tried({ ...DEALER, code: 'LIMIT', ...accepted })).status).toBe(200)
    for (const [refused, pointer, code] of [
      [{ code: 'A' }, '/code', 'WRONG_FORMAT'],
      [{ code: 'A'.repeat(33) }, '/code', 'WRONG_FORMAT'],
      [{ code: 'nord' }, '/code', 'WRONG_FORMAT'],
      [{ code: '-A' }, '/code', 'WRONG_FORMAT'],
      [{ code: 'Ä1' }, '/code', 'WRONG_FORMAT'],
      [{ code: 'A B' }, '/code', 'WRONG_FORMAT'],
      [{ code: 7 }, '/code', 'WRONG_TYPE'],
      [{ code: undefined }, '/code', 'REQUIRED'],
      [{ name: '' }, '/name', 'TOO_SHORT'],
      [{ name: ' ' }, '/name', 'WRONG_FORMAT'],
      [{ name: 'x'.repeat(201) }, '/name', 'TOO_LONG'],
      [{ name: undefined }, '/name', 'REQUIRED'],
      [{ kind: 'dealer' }, '/kind', 'NOT_ALLOWED'],
      [{ kind: undefined }, '/kind', 'REQUIRED'],
      [{ bankAccount: { iban: IBAN } }, '/bankAccount/holder', 'REQUIRED'],
      [{ bankAccount: { iban: MASKED_IBAN, holder: 'X' } }, '/bankAccount/iban', 'IBAN_MASKED'],
      [
        { bankAccount: { iban: 'DE00370400440532013000', holder: 'X' } },
        '/bankAccount/iban',
        'IBAN_CHECKSUM',
      ],
      ...['id', 'state', 'version', 'createdBy', 'pendingChanges', 'actions'].map(
        (name) => [{ [name]: 'X' }, `/${name}`, 'UNKNOWN_FIELD'] as const,
      ),
    ] as const)
      expectFaults(await tried({ ...DEALER, code: 'LIMIT', ...refused }), [
        { pointer, code, detail: /./ },
      ])
  })

  test('403 for callers linked to a partner or party, and without the permission (platform 3)', async () => {
    const { body } = await succeeded(paul().post('/partners', { ...DEALER, code: 'LINKED' }))
    const partyId = await createParty(staff(host, 'paul'))
    const before = await tableDigests(host.store)
    for (const link of [{ partnerId: body.id }, { partyId }, { partnerId: body.id, partyId }]) {
      const linked = host.as('dora', { permissions: everyPermission, ...link })
      const answer = await linked.post('/partners', { ...DEALER, code: 'MINE' })
      expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    }
    const others = everyPermission.filter((code) => code !== 'partner:create')
    const refused = await host.as('eva', ...others).post('/partners', DEALER)
    expect(refused.body).toMatchObject({ status: 403, requiredPermission: 'partner:create' })
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('200 for a dry run that stores nothing; one partner for one key', async () => {
    const before = await tableDigests(host.store)
    expect((await tried({ ...DEALER, code: 'DRY' })).body).toMatchObject({
      ...{ dryRun: true, result: { code: 'DRY', state: 'ACTIVE' } },
    })
    expect(await tableDigests(host.store)).toEqual(before)
    const key = { 'idempotency-key': 'partner-1' }
    const first = await succeeded(paul().post('/partners', { ...DEALER, code: 'ONCE' }, key))
    const again = await succeeded(paul().post('/partners', { ...DEALER, code: 'ONCE' }, key))
    expect(again.body.id).toBe(first.body.id)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})
