import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeIn } from '../../test/change-stories.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { newPerson, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'

const ADDRESS = { street: 'Am Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' }

/** A person of one name with a mark, and another of that name with the same or with another mark. */
const MARKS: readonly (readonly [mark: string, first: object, same: object, other: object])[] = [
  [
    'birthDate',
    { birthDate: '1980-01-01' },
    { birthDate: '1980-01-01' },
    { birthDate: '1980-01-02' },
  ],
  ['email', { email: 'a@example.org' }, { email: 'A@Example.ORG' }, { email: 'b@example.org' }],
  ['phone', { phone: '+4930123456' }, { phone: '+4930123456' }, { phone: '+4930123457' }],
  [
    'postalCode',
    { address: ADDRESS },
    { address: { ...ADDRESS, street: 'Elsewhere 2' } },
    { address: { ...ADDRESS, postalCode: '10117' } },
  ],
]

describe.each(STORE_KINDS)('likely duplicates on %s', (store) => {
  let host: Host
  let partnerId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'TWINS')
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', 'party:create', 'party:read')
  const tried = (body: object, client = paul()) => client.post('/parties?dryRun=true', body)
  const person = (lastName: string, { birthDate, ...rest }: { birthDate?: string } = {}) => ({
    ...{
      type: 'PERSON',
      person: { firstName: 'Clara', lastName, ...(birthDate && { birthDate }) },
    },
    ...rest,
  })

  test.each(MARKS)(
    '409 DUPLICATE_PARTY for the same name and the same %s, not for another (platform 6)',
    async (mark, first, same, other) => {
      const { body } = await succeeded(paul().post('/parties', person(`Twin ${mark}`, first)))
      const before = await tableDigests(host.store)
      for (const lastName of [`Twin ${mark}`, `  TWIN   ${mark.toUpperCase()} `]) {
        const answer = await paul().post('/parties', person(lastName, same))
        expect(answer, answer.text).toMatchObject({ status: 409, code: 'DUPLICATE_PARTY' })
        expect(answer.body.candidates).toEqual([{ id: body.id, displayName: `Clara Twin ${mark}` }])
        expect(answer.body.detail).toContain(body.id)
      }
      expect(await tableDigests(host.store)).toEqual(before)
      expect((await tried(person(`Twin ${mark}`, other))).status, 'another mark').toBe(200)
      expect((await tried(person(`Twin ${mark}`))).status, 'no mark').toBe(200)
      expect((await tried(person(`Stranger ${mark}`, same))).status, 'another name').toBe(200)
      const meant = { ...person(`Twin ${mark}`, same), allowDuplicate: true }
      expect((await tried(meant)).status, 'meant').toBe(200)
      expect((await tried({ ...meant, allowDuplicate: false })).code).toBe('DUPLICATE_PARTY')
    },
  )

  test('409 DUPLICATE_PARTY for the same VAT id or external reference, whatever the name (platform 6)', async () => {
    const firm = (name: string, more: object) => ({
      ...{ type: 'ORGANISATION', organisation: { name, vatId: 'DE123456789' } },
      ...more,
    })
    const { body } = await succeeded(
      paul().post('/parties', firm('Hansen', { externalRef: 'R-1' })),
    )
    const byVat = await tried(firm('Quite another', {}))
    expect(byVat.body.candidates).toEqual([{ id: body.id, displayName: 'Hansen' }])
    const byRef = await tried(newPerson('Else', { externalRef: 'R-1' }))
    expect(byRef.body.candidates).toEqual([{ id: body.id, displayName: 'Hansen' }])
    expect((await tried(newPerson('Else', { externalRef: 'R-2' }))).status).toBe(200)
  })

  test('at most five are named', async () => {
    const same = { ...person('Many', { birthDate: '1970-01-01' }), allowDuplicate: true }
    for (let n = 0; n < 6; n++) await succeeded(paul().post('/parties', same))
    const answer = await tried({ ...same, allowDuplicate: false })
    expect(answer.body.candidates).toHaveLength(5)
  })

  test('nobody is named to callers who may not see them (platform 6, rule 16)', async () => {
    const given = person('Hidden', { birthDate: '1975-05-05' })
    const { body } = await succeeded(paul().post('/parties', given))
    const blind = await tried(given, host.as('bea', 'party:create'))
    expect(blind).toMatchObject({ status: 409, code: 'DUPLICATE_PARTY' })
    expect(blind.body).not.toHaveProperty('candidates')
    expect(blind.text).not.toContain(body.id)
    expect(blind.text).not.toContain('Hidden')
    const dealer = host.as('dora', { permissions: PREPARING, partnerId })
    const own = await succeeded(dealer.post('/parties', given))
    expect(own.status, 'the foreign one does not exist for it').toBe(201)
    const again = await tried(given, dealer)
    expect(again.body.candidates).toEqual([{ id: own.body.id, displayName: 'Clara Hidden' }])
    expect(again.text).not.toContain(body.id)
  })

  test('an erased party is nobody’s twin', async () => {
    await changeIn(host, 'ERASURE', 'APPROVED')
    expect(
      (await tried(newPerson('–', { person: { firstName: '–', lastName: '–' } }))).status,
    ).toBe(200)
  })
})
