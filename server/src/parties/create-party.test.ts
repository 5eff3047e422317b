import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leftBehind, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { newPerson, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { withValue } from '../../test/with-value.ts'
import { shortDigest } from '../base/digest.ts'

const long = (length: number) => 'x'.repeat(length)

const PERSON = {
  type: 'PERSON',
  person: { firstName: 'Clara', lastName: 'Sommer', birthDate: '1986-04-12' },
  email: 'clara.sommer@example.org',
  phone: '+49301234567',
  address: {
    ...{ street: 'Lindenallee 4', supplement: '2. OG', postalCode: '10115', city: 'Berlin' },
    country: 'DE',
  },
  language: 'de-AT',
  externalRef: 'CRM-1',
}
const ORGANISATION = {
  type: 'ORGANISATION',
  organisation: {
    ...{
      name: 'Hansen Bau GmbH',
      legalForm: 'GmbH',
      registerNumber: 'HRB 1',
      vatId: 'DE123456789',
    },
  },
}

const TEXTS: readonly (readonly [document: object, pointer: string, longest: number])[] = [
  [PERSON, '/person/firstName', 100],
  [PERSON, '/person/lastName', 100],
  [PERSON, '/address/street', 200],
  [PERSON, '/address/supplement', 200],
  [PERSON, '/address/postalCode', 20],
  [PERSON, '/address/city', 100],
  [PERSON, '/externalRef', 64],
  [ORGANISATION, '/organisation/name', 200],
  [ORGANISATION, '/organisation/legalForm', 60],
  [ORGANISATION, '/organisation/registerNumber', 60],
]

const ACCEPTED: readonly (readonly [object, string, unknown])[] = [
  ...TEXTS.flatMap(([document, pointer, longest]) => [
    [document, pointer, 'é'] as const,
    [document, pointer, '漢'.repeat(longest)] as const,
  ]),
  ...[
    '/person/birthDate',
    '/email',
    '/phone',
    '/address',
    '/address/supplement',
    '/language',
    '/externalRef',
  ].map((pointer) => [PERSON, pointer, undefined] as const),
  ...['legalForm', 'registerNumber', 'vatId'].map(
    (name) => [ORGANISATION, `/organisation/${name}`, undefined] as const,
  ),
  [PERSON, '/person/birthDate', '2004-02-29'],
  [PERSON, '/email', `${long(242)}@example.org`],
  [PERSON, '/phone', '+123456'],
  [PERSON, '/phone', '+123456789012345'],
  [PERSON, '/language', 'de'],
  [ORGANISATION, '/organisation/vatId', 'ATU12345678'],
]

type Refused = readonly [
  object,
  pointer: string,
  value: unknown,
  code: string,
  detail: string | RegExp,
]
const LIKE = (what: string) => new RegExp(`must look like ${what}`)

const REFUSED: readonly Refused[] = [
  ...TEXTS.flatMap(([document, pointer, longest]): Refused[] => [
    [
      document,
      pointer,
      long(longest + 1),
      'TOO_LONG',
      new RegExp(`must have 1 to ${longest} characters`),
    ],
    [document, pointer, '', 'TOO_SHORT', /must have 1 to/],
    [document, pointer, ' \u200b', 'WRONG_FORMAT', LIKE('text that is not blank')],
    [document, pointer, 7, 'WRONG_TYPE', /must be of type string/],
  ]),
  ...[
    '/type',
    '/person/firstName',
    '/person/lastName',
    '/address/street',
    '/address/postalCode',
    '/address/city',
    '/address/country',
  ].map(
    (pointer): Refused => [
      PERSON,
      pointer,
      undefined,
      'REQUIRED',
      `"${pointer.split('/').at(-1)}" is required.`,
    ],
  ),
  [ORGANISATION, '/organisation/name', undefined, 'REQUIRED', '"name" is required.'],
  [PERSON, '/type', 'COMPANY', 'NOT_ALLOWED', '"type" must be one of PERSON, ORGANISATION.'],
  [PERSON, '/person/birthDate', '1986-4-12', 'WRONG_FORMAT', LIKE('a date such as')],
  [PERSON, '/person/birthDate', '1986-02-30', 'DATE_NOT_CALENDAR', /^Write a day of the calendar/],
  [PERSON, '/person/birthDate', '1899-12-31', 'DATE_OUT_OF_RANGE', /^Send a date from 1900/],
  ...['clara', 'clara@', '@example.org', 'a@b', 'a b@example.org', 'a@b@example.org'].map(
    (email): Refused => [PERSON, '/email', email, 'WRONG_FORMAT', LIKE('an e-mail address')],
  ),
  [
    PERSON,
    '/email',
    `${long(243)}@example.org`,
    'TOO_LONG',
    '"email" must have at most 254 characters.',
  ],
  ...['030 123456', '+0301234567', '+12345', '+1234567890123456', '+49-30-1234'].map(
    (phone): Refused => [PERSON, '/phone', phone, 'WRONG_FORMAT', LIKE('a number such as')],
  ),
  ...['de', 'DEU', 'D1'].map(
    (country): Refused => [
      PERSON,
      '/address/country',
      country,
      'WRONG_FORMAT',
      LIKE('an ISO 3166 code'),
    ],
  ),
  ...['DE', 'deutsch', 'de-at', 'de_AT'].map(
    (language): Refused => [PERSON, '/language', language, 'WRONG_FORMAT', LIKE('a tag such as')],
  ),
  ...['123456789', 'de123456789', 'DE', 'DE 123', 'DE12345678901234'].map(
    (vatId): Refused => [
      ORGANISATION,
      '/organisation/vatId',
      vatId,
      'WRONG_FORMAT',
      LIKE('a VAT id'),
    ],
  ),
  [PERSON, '/person', undefined, 'REQUIRED', 'A party of type PERSON needs "person".'],
  [
    ORGANISATION,
    '/organisation',
    undefined,
    'REQUIRED',
    'A party of type ORGANISATION needs "organisation".',
  ],
  [
    PERSON,
    '/organisation',
    { name: 'X' },
    'NOT_ALLOWED',
    'A party of type PERSON has no "organisation".',
  ],
  [
    ORGANISATION,
    '/person',
    { firstName: 'A', lastName: 'B' },
    'NOT_ALLOWED',
    'A party of type ORGANISATION has no "person".',
  ],
]

const NOT_WRITABLE = [
  'id',
  'state',
  'version',
  'displayName',
  'preparers',
  'createdBy',
  'createdAt',
  'updatedBy',
  'updatedAt',
  'createdByPartner',
  'actions',
  'approvedBy',
  'pendingChanges',
]

describe.each(STORE_KINDS)('createParty on %s', (store) => {
  let host: Host
  let partnerId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'OWN')
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', 'party:create', 'party:read')
  const tried = (body: unknown) => paul().post('/parties?dryRun=true', body)

  test('201 with the person, from the least that is needed, and with everything (spec 5.5.1, spec 2.1)', async () => {
    const least = await paul().post('/parties', newPerson('Least'))
    expect(least.status).toBe(201)
    const by = { id: shortDigest('dev:paul'), username: 'paul' }
    expect(least.body).toMatchObject({
      id: expect.stringMatching(/^pty_[0-9a-z]{26}$/),
      ...{ type: 'PERSON', displayName: 'Clara Least', state: 'ACTIVE', version: 1 },
      ...{ createdBy: by, updatedBy: by },
    })
    expect(least.headers.get('location')).toBe(`/api/v1/parties/${least.body.id}`)
    for (const absent of ['organisation', 'email', 'phone', 'address', 'language', 'externalRef']) {
      expect(least.body).not.toHaveProperty(absent)
    }
    const whole = await succeeded(paul().post('/parties', PERSON))
    expect(whole.body).toMatchObject(PERSON)
    expect((await paul().get(`/parties/${whole.body.id}`)).body).toEqual(whole.body)
  })

  test('201 with the organisation', async () => {
    const { body } = await succeeded(paul().post('/parties', ORGANISATION))
    expect(body).toMatchObject({ ...ORGANISATION, displayName: 'Hansen Bau GmbH' })
    expect(body).not.toHaveProperty('person')
  })

  test('no answer tells the keys by which people are compared, a dry run neither', async () => {
    for (const query of ['', '?dryRun=true']) {
      const { text } = await paul().post(`/parties${query}`, newPerson(`Key${query.length}`))
      expect(text).not.toContain('sub:dev')
      expect(text).not.toContain('preparers')
      expect(text).not.toContain('createdByPartner')
    }
  })

  test('200 for every value at its limits, and with every optional field away', async () => {
    for (const [document, pointer, value] of ACCEPTED) {
      const answer = await tried({ ...withValue(document, pointer, value), allowDuplicate: true })
      expect(answer.status, `${pointer} ${JSON.stringify(value)} ${answer.text}`).toBe(200)
    }
  })

  test('400 with pointer, code and sentence for every value beyond its limits', async () => {
    const before = await leftBehind(host.db)
    for (const [document, pointer, value, code, detail] of REFUSED) {
      expectFaults(await tried(withValue(document, pointer, value)), [{ pointer, code, detail }])
    }
    expect(await leftBehind(host.db)).toEqual(before)
  })

  test.each(NOT_WRITABLE)('400 UNKNOWN_FIELD for %s (rule 17)', async (name) => {
    expectFaults(await tried({ ...newPerson(), [name]: 'ACTIVE' }), [
      { pointer: `/${name}`, code: 'UNKNOWN_FIELD', detail: /^Unknown field "/ },
    ])
  })

  test('400 that asks what is meant', async () => {
    expectFaults(await tried({ ...newPerson(), emial: 'a@b.cd' }), [
      {
        pointer: '/emial',
        code: 'UNKNOWN_FIELD',
        detail: 'Unknown field "emial". Did you mean "email"?',
      },
    ])
    expectFaults(await tried(withValue(PERSON, '/person/lastname', 'X')), [
      {
        pointer: '/person/lastname',
        code: 'UNKNOWN_FIELD',
        detail: 'Unknown field "lastname". Did you mean "lastName"?',
      },
    ])
  })

  test('403 PERMISSION_MISSING without party:create (spec 5.5.3)', async () => {
    const others = ['party:read', 'party:update', 'party:approve', 'contract:create']
    const answer = await host.as('paul', ...others).post('/parties', newPerson())
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.requiredPermission).toBe('party:create')
  })

  test('201 for partner staff, who then see the party; others of the same kind do not (rule 16)', async () => {
    const otherPartner = await partnerNamed(host.db, 'OTHER')
    const dealer = (partner: string) =>
      host.as('dora', { permissions: PREPARING, partnerId: partner })
    const { body } = await succeeded(dealer(partnerId).post('/parties', newPerson('Brought')))
    expect((await dealer(partnerId).get(`/parties/${body.id}`)).status).toBe(200)
    expect((await dealer(otherPartner).get(`/parties/${body.id}`)).status).toBe(404)
  })

  test('403 for a caller linked to a party, or to a partner that is not known here', async () => {
    const before = await leftBehind(host.db)
    const clara = host.as('clara', { permissions: PREPARING, partyId: 'pty_x' })
    const linked = await clara.post('/parties', newPerson())
    expect(linked).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(linked.body.detail).toBe('A caller linked to a party creates no parties.')
    const both = host.as('clara', { permissions: PREPARING, partyId: 'pty_x', partnerId })
    expect((await both.post('/parties', newPerson())).status).toBe(403)
    const lost = await host
      .as('lost', { permissions: PREPARING, partnerId: 'ptn_unknown' })
      .post('/parties', newPerson())
    expect(lost).toMatchObject({ status: 403, code: 'PARTNER_REQUIRED' })
    expect(lost.body.detail).toMatch(
      /^The partner that your account is linked to is not known here;/,
    )
    expect(await leftBehind(host.db)).toEqual(before)
  })

  test('409 DUPLICATE_PARTY names the likely same one, and allowDuplicate overrides', async () => {
    const given = newPerson('Twin', { email: 'twin@example.org' })
    const { body } = await succeeded(paul().post('/parties', given))
    const again = await paul().post('/parties', { ...given, email: 'TWIN@example.org' })
    expect(again).toMatchObject({ status: 409, code: 'DUPLICATE_PARTY' })
    expect(again.body.candidates).toEqual([{ id: body.id, displayName: 'Clara Twin' }])
    const stranger = host.as('dora', { permissions: PREPARING, partnerId })
    expect((await stranger.post('/parties?dryRun=true', given)).status).toBe(200)
    expect((await tried({ ...given, allowDuplicate: true })).status).toBe(200)
  })

  test('200 for a dry run, and nothing is stored', async () => {
    const before = await leftBehind(host.db)
    const answer = await tried(newPerson('Dry'))
    expect(answer.body).toMatchObject({
      dryRun: true,
      result: { displayName: 'Clara Dry', version: 1 },
    })
    expect(await leftBehind(host.db)).toEqual(before)
  })
})
