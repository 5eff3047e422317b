import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { foundIn } from '../../test/table-texts.ts'
import { readBankAccount } from './bank-account.ts'

/** The examples that the IBAN registry gives for each country, and how they read back. */
const VALID: readonly (readonly [iban: string, masked: string])[] = [
  ['NO9386011117947', 'NO93*******7947'],
  ['BE68539007547034', 'BE68********7034'],
  ['NL91ABNA0417164300', 'NL91**********4300'],
  ['AT611904300234573201', 'AT61************3201'],
  ['CH9300762011623852957', 'CH93*************2957'],
  ['DE89370400440532013000', 'DE89**************3000'],
  ['GB82WEST12345698765432', 'GB82**************5432'],
  ['SE4550000000058398257466', 'SE45****************7466'],
  ['ES9121000418450200051332', 'ES91****************1332'],
  ['IT60X0542811101000000123456', 'IT60*******************3456'],
  ['FR1420041010050500013M02606', 'FR14*******************2606'],
  ['PL61109010140000071219812874', 'PL61********************2874'],
  ['MT84MALT011000012345MTLCAST001S', 'MT84***********************001S'],
]

const MALFORMED = [
  'DE893704004405320130001234567890123456',
  'DE8937040044',
  '89DE370400440532013000',
  'D189370400440532013000',
  'DEXX370400440532013000',
  'DE89-3704-0044-0532-0130-00',
  'DE89370400440532013ÖÖÖ',
  'DE89.370400440532013000',
]

test('an IBAN is one digit away from none: check digits, swapped and changed digits are found', () => {
  for (const [iban] of VALID) {
    expect(readBankAccount({ iban, holder: 'X' }, ''), iban).toEqual({
      account: { iban, holder: 'X' },
    })
    for (let place = 2; place < iban.length; place++) {
      const digit = iban[place] as string
      if (!/\d/.test(digit)) continue
      const wrong = iban.slice(0, place) + ((Number(digit) + 1) % 10) + iban.slice(place + 1)
      expect(readBankAccount({ iban: wrong, holder: 'X' }, ''), wrong).toMatchObject({
        faults: [{ pointer: '/iban', code: 'IBAN_CHECKSUM' }],
      })
    }
  }
  const swapped = readBankAccount({ iban: 'DE89370400440532010300', holder: 'X' }, '/bankAccount')
  expect(swapped).toMatchObject({
    faults: [{ pointer: '/bankAccount/iban', code: 'IBAN_CHECKSUM' }],
  })
})

describe.each(STORE_KINDS)('bank accounts of parties on %s', (store) => {
  let host: Host
  let count = 0
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', 'party:create', 'party:read', 'party:approve')
  const ana = () => host.as('ana', 'party:approve')
  const given = (iban: unknown, holder: unknown = 'Clara Sommer') =>
    newPerson(`Account ${++count}`, { bankAccount: { iban, holder } })

  test('201 and it waits for another person, from the first day on (platform 4)', async () => {
    const made = await paul().post('/parties', given('DE89370400440532013000'))
    expect(made.status, made.text).toBe(201)
    expect(made.body).not.toHaveProperty('bankAccount')
    expect(made.body.pendingChanges).toMatchObject([{ kind: 'PARTY' }])
    const path = `/parties/${made.body.id}/changes/${made.body.pendingChanges[0].id}`
    const change = await succeeded(paul().get(path))
    expect(change.body).toMatchObject({
      ...{ kind: 'PARTY', state: 'PENDING', baseVersion: 1 },
      reason: 'Bank account given with the new party.',
    })
    expect(change.body.diff).toEqual([
      { pointer: '/bankAccount/iban', before: null, after: 'DE89**************3000' },
      { pointer: '/bankAccount/holder', before: null, after: 'Clara Sommer' },
    ])
    expect((await paul().post(`${path}/approve`)).code).toBe('FOUR_EYES_SAME_USER')
    await succeeded(ana().post(`${path}/approve`))
    const after = await succeeded(paul().get(`/parties/${made.body.id}`))
    expect(after.body).toMatchObject({
      bankAccount: { iban: 'DE89**************3000', holder: 'Clara Sommer' },
      version: 2,
    })
  })

  test('masked back, whatever country, blanks and case it was written with (platform 6)', async () => {
    for (const [iban, masked] of VALID.slice(0, 6)) {
      const spaced = iban
        .toLowerCase()
        .replace(/(.{4})/g, '$1 ')
        .trim()
      const { body } = await succeeded(paul().post('/parties', given(spaced)))
      await succeeded(
        ana().post(`/parties/${body.id}/changes/${body.pendingChanges[0].id}/approve`),
      )
      const { body: after, text } = await succeeded(ana().get(`/parties/${body.id}`))
      expect(after.bankAccount.iban, iban).toBe(masked)
      expect(text).not.toContain(iban)
      const listed = await succeeded(ana().get('/parties?limit=200'))
      expect(listed.text).not.toContain(iban)
    }
  })

  test('400 for a masked, malformed or mistyped IBAN and for no holder (platform 6)', async () => {
    const tried = (body: object) => paul().post('/parties?dryRun=true', body)
    const pointer = '/bankAccount/iban'
    for (const iban of ['DE89**************3000', '*****', 'DE89 **** 3000'])
      expectFaults(await tried(given(iban)), [{ pointer, code: 'IBAN_MASKED', detail: /masked/ }])
    for (const iban of MALFORMED)
      expectFaults(await tried(given(iban)), [{ pointer, code: 'IBAN_MALFORMED', detail: /./ }])
    expectFaults(await tried(given('DE88370400440532013000')), [
      { pointer, code: 'IBAN_CHECKSUM', detail: /check digits/ },
    ])
    for (const [iban, code] of [
      ['DE89', 'TOO_SHORT'],
      ['D'.repeat(43), 'TOO_LONG'],
      [89, 'WRONG_TYPE'],
      [null, 'WRONG_TYPE'],
      [undefined, 'REQUIRED'],
    ] as const)
      expectFaults(await tried(given(iban)), [{ pointer, code, detail: /./ }])
    for (const [holder, code] of [
      ['', 'TOO_SHORT'],
      [' ', 'WRONG_FORMAT'],
      ['x'.repeat(141), 'TOO_LONG'],
      [undefined, 'REQUIRED'],
    ] as const) {
      const answer = await tried({
        ...newPerson(`Account ${++count}`),
        bankAccount: { iban: 'DE89370400440532013000', holder },
      })
      expectFaults(answer, [{ pointer: '/bankAccount/holder', code, detail: /./ }])
    }
    const longest = given('DE89370400440532013000', 'x'.repeat(140))
    expect((await tried(longest)).status).toBe(200)
  })

  test('what is refused or only tried is nowhere afterwards', async () => {
    const tried = await paul().post('/parties?dryRun=true', given('AT611904300234573201', 'Nobody'))
    expect(tried.body.result.pendingChanges).toMatchObject([{ kind: 'PARTY' }])
    expect(tried.text).not.toContain('AT611904300234573201')
    const before = await foundIn(host.store, ['Nobody'])
    expect(before).toEqual([])
    expect(host.logLines.join('\n')).not.toMatch(/AT6119043|Nobody/)
  })
})
