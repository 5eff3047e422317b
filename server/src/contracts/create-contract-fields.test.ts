import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leftBehind } from '../../test/contract-stories.ts'
import { expectFaults, expectRefusal } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { withValue } from '../../test/with-value.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const AMOUNT = '/terms/financedAmount/amount'
const CURRENCY = '/terms/financedAmount/currency'

/** Every field filled, so that one value at a time can be wrong. */
const whole = (partyId: string) =>
  newContract(partyId, {
    externalRef: 'WEB-1',
    asset: {
      category: 'VEHICLE',
      description: 'Estate car',
      make: 'Volvo',
      model: 'V60',
      serialNumber: 'YV1ZW25UDK1345678',
      price: eur('24900.00'),
    },
    terms: {
      financedAmount: eur('12500.00'),
      downPayment: eur('500.00'),
      residualValue: eur('1000.00'),
      nominalRate: '4.9',
      termMonths: 48,
      frequency: 'MONTHLY',
      timing: 'ARREARS',
      firstDueDate: '2027-01-31',
      vatRate: '19',
    },
    commission: eur('100.00'),
    internalNote: 'Known for years.',
    draft: true,
  })

const long = (length: number) => 'x'.repeat(length)
const TEXTS: readonly (readonly [pointer: string, longest: number])[] = [
  ['/externalRef', 64],
  ['/asset/category', 60],
  ['/asset/description', 500],
  ['/asset/make', 100],
  ['/asset/model', 100],
  ['/asset/serialNumber', 64],
  ['/internalNote', 2_000],
]
const MONEY = [
  '/terms/financedAmount',
  '/terms/downPayment',
  '/terms/residualValue',
  '/asset/price',
  '/commission',
]
const OPTIONAL = [
  '/externalRef',
  '/asset',
  '/asset/make',
  '/asset/model',
  '/asset/serialNumber',
  '/terms/downPayment',
  '/terms/residualValue',
  '/terms/frequency',
  '/terms/timing',
  '/terms/vatRate',
  '/commission',
  '/internalNote',
  '/draft',
]
const REQUIRED = [
  '/type',
  '/terms',
  '/terms/financedAmount',
  '/terms/nominalRate',
  '/terms/termMonths',
  '/terms/firstDueDate',
  '/asset/category',
  '/asset/description',
  '/asset/price',
  AMOUNT,
  CURRENCY,
]

const ACCEPTED: readonly (readonly [string, unknown])[] = [
  ...TEXTS.flatMap(([pointer, longest]) => [
    [pointer, 'x'] as const,
    [pointer, long(longest)] as const,
    [pointer, '😀'.repeat(longest)] as const,
    [pointer, ` ${'é'.repeat(longest - 2)} `] as const,
  ]),
  ...OPTIONAL.map((pointer) => [pointer, undefined] as const),
  ...['LOAN', 'HIRE_PURCHASE', 'FINANCE_LEASE', 'OPERATING_LEASE'].map(
    (type) => ['/type', type] as const,
  ),
  ...['MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'].map(
    (each) => ['/terms/frequency', each] as const,
  ),
  ['/terms/timing', 'ADVANCE'],
  [AMOUNT, '1000.01'],
  [AMOUNT, '999999999999999'],
  [AMOUNT, '9999999999999.99'],
  [AMOUNT, '12500'],
  [AMOUNT, '12500.5'],
  ['/terms/downPayment/amount', '0'],
  ['/terms/residualValue/amount', '0'],
  ['/commission/amount', '0'],
  ['/asset/price/amount', '0.00'],
  ['/asset/price', { amount: '1500', currency: 'JPY' }],
  ['/commission', { amount: '1.001', currency: 'KWD' }],
  ['/terms/nominalRate', '0'],
  ['/terms/nominalRate', '100'],
  ['/terms/nominalRate', '4.900001'],
  ['/terms/vatRate', '0'],
  ['/terms/vatRate', '100.000000'],
  ['/terms/termMonths', 1],
  ['/terms/termMonths', 600],
  ['/terms/firstDueDate', '1900-01-01'],
  ['/terms/firstDueDate', '2028-02-29'],
  ['/terms/firstDueDate', '2195-12-31'],
]

type Refused = readonly [pointer: string, value: unknown, code: string, detail: string | RegExp]
const NOT_PLAIN = /^Write the amount as a plain decimal string such as "1250\.00": /
const moneyRefused = (pointer: string): Refused[] => {
  const amount = `${pointer}/amount`
  return [
    ...['1e3', '1,000', '01', '.5', '5.', '+5', ' 5', '٥', '0x10', 'NaN'].map(
      (text): Refused => [amount, text, 'AMOUNT_NOT_DECIMAL', NOT_PLAIN],
    ),
    [
      amount,
      '1000000000000000',
      'AMOUNT_TOO_LARGE',
      'An amount has at most 15 digits; send a smaller one.',
    ],
    [
      amount,
      '0.001',
      'AMOUNT_TOO_MANY_DECIMALS',
      'EUR has at most 2 decimals; round the amount before you send it.',
    ],
    [amount, '', 'TOO_SHORT', '"amount" must have 1 to 24 characters.'],
    [amount, long(25), 'TOO_LONG', '"amount" must have 1 to 24 characters.'],
    [amount, 5, 'WRONG_TYPE', '"amount" must be of type string.'],
    [
      `${pointer}/currency`,
      'eur',
      'WRONG_FORMAT',
      '"currency" must look like an ISO 4217 code such as EUR.',
    ],
    [
      `${pointer}/currency`,
      'XXX',
      'CURRENCY_UNKNOWN',
      /^Use the three-letter code of an active ISO 4217 currency/,
    ],
    [pointer, null, 'WRONG_TYPE', /must be of type object\.$/],
    [pointer, '5 EUR', 'WRONG_TYPE', /must be of type object\.$/],
  ]
}

const REFUSED: readonly Refused[] = [
  ...REQUIRED.map(
    (pointer): Refused => [
      pointer,
      undefined,
      'REQUIRED',
      `"${pointer.split('/').at(-1)}" is required.`,
    ],
  ),
  ...TEXTS.flatMap(([pointer, longest]): Refused[] => [
    [
      pointer,
      long(longest + 1),
      'TOO_LONG',
      new RegExp(`must have 1 to ${longest} characters\\.$`),
    ],
    [pointer, '', 'TOO_SHORT', new RegExp(`must have 1 to ${longest} characters\\.$`)],
    [pointer, ' \t\u200b', 'WRONG_FORMAT', /must look like text that is not blank\.$/],
    [pointer, 7, 'WRONG_TYPE', /must be of type string\.$/],
    [pointer, null, 'WRONG_TYPE', /must be of type string\.$/],
  ]),
  ...MONEY.flatMap(moneyRefused),
  [AMOUNT, '0', 'AMOUNT_NOT_POSITIVE', 'Send an amount above 0.'],
  [AMOUNT, '0.00', 'AMOUNT_NOT_POSITIVE', 'Send an amount above 0.'],
  [AMOUNT, '-1', 'AMOUNT_NOT_POSITIVE', 'Send an amount above 0.'],
  ...MONEY.slice(1).map(
    (pointer): Refused => [
      `${pointer}/amount`,
      '-0.01',
      'AMOUNT_NEGATIVE',
      'Send an amount without a sign, 0 or more.',
    ],
  ),
  ...['/terms/nominalRate', '/terms/vatRate'].flatMap((pointer): Refused[] => [
    [pointer, '100.000001', 'RATE_OUT_OF_RANGE', 'Send a rate from 0 to 100 percent.'],
    [pointer, '-0.1', 'RATE_OUT_OF_RANGE', 'Send a rate from 0 to 100 percent.'],
    [
      pointer,
      '4.9000001',
      'RATE_TOO_MANY_DECIMALS',
      'A rate has at most 6 decimals; round it before you send it.',
    ],
    [pointer, '4,9', 'RATE_NOT_DECIMAL', /^Write the rate as a plain decimal string in percent/],
    [pointer, '4.9 %', 'RATE_NOT_DECIMAL', /^Write the rate as a plain decimal string in percent/],
    [pointer, 4.9, 'WRONG_TYPE', /must be of type string\.$/],
    [pointer, '', 'TOO_SHORT', /must have 1 to 16 characters\.$/],
    [pointer, '0.000000000000001', 'TOO_LONG', /must have 1 to 16 characters\.$/],
  ]),
  ['/terms/termMonths', 0, 'TOO_SMALL', '"termMonths" must be 1 to 600.'],
  ['/terms/termMonths', -1, 'TOO_SMALL', '"termMonths" must be 1 to 600.'],
  ['/terms/termMonths', 601, 'TOO_LARGE', '"termMonths" must be 1 to 600.'],
  ['/terms/termMonths', 12.5, 'WRONG_TYPE', '"termMonths" must be of type integer.'],
  ['/terms/termMonths', '12', 'WRONG_TYPE', '"termMonths" must be of type integer.'],
  [
    '/terms/firstDueDate',
    '2027-02-29',
    'DATE_NOT_CALENDAR',
    /^Write a day of the calendar as YYYY-MM-DD/,
  ],
  [
    '/terms/firstDueDate',
    '2027-13-01',
    'DATE_NOT_CALENDAR',
    /^Write a day of the calendar as YYYY-MM-DD/,
  ],
  [
    '/terms/firstDueDate',
    '1899-12-31',
    'DATE_OUT_OF_RANGE',
    'Send a date from 1900-01-01 to 2199-12-31.',
  ],
  [
    '/terms/firstDueDate',
    '2200-01-01',
    'DATE_OUT_OF_RANGE',
    'Send a date from 1900-01-01 to 2199-12-31.',
  ],
  [
    '/terms/firstDueDate',
    '31.01.2027',
    'WRONG_FORMAT',
    '"firstDueDate" must look like a date such as 2026-11-30.',
  ],
  [
    '/terms/firstDueDate',
    '2027-01-31T00:00:00Z',
    'WRONG_FORMAT',
    '"firstDueDate" must look like a date such as 2026-11-30.',
  ],
  [
    '/terms/frequency',
    'WEEKLY',
    'NOT_ALLOWED',
    '"frequency" must be one of MONTHLY, QUARTERLY, HALF_YEARLY, YEARLY.',
  ],
  ['/terms/timing', 'advance', 'NOT_ALLOWED', '"timing" must be one of ARREARS, ADVANCE.'],
  [
    '/type',
    'CREDIT',
    'NOT_ALLOWED',
    '"type" must be one of LOAN, HIRE_PURCHASE, FINANCE_LEASE, OPERATING_LEASE.',
  ],
  ['/partyId', undefined, 'REQUIRED', /^Send "partyId" of a party that exists/],
  ['/partyId', '', 'TOO_SHORT', '"partyId" must have 1 to 64 characters.'],
  ['/partyId', long(65), 'TOO_LONG', '"partyId" must have 1 to 64 characters.'],
  ['/partyId', 7, 'WRONG_TYPE', '"partyId" must be of type string.'],
  ['/partnerId', '', 'TOO_SHORT', '"partnerId" must have 1 to 64 characters.'],
  ['/partnerId', long(65), 'TOO_LONG', '"partnerId" must have 1 to 64 characters.'],
  ['/partnerId', null, 'WRONG_TYPE', '"partnerId" must be of type string.'],
  ['/draft', 'yes', 'WRONG_TYPE', '"draft" must be of type boolean.'],
  ['/asset', [], 'WRONG_TYPE', '"asset" must be of type object.'],
  ['/terms', 'none', 'WRONG_TYPE', '"terms" must be of type object.'],
]

/** Well formed, but not together (422). */
const RULES: readonly (readonly [
  string,
  Readonly<Record<string, unknown>>,
  string,
  string,
  string | RegExp,
])[] = [
  [
    'a term that is no multiple of the period',
    { '/terms/frequency': 'QUARTERLY', '/terms/termMonths': 47 },
    '/terms/termMonths',
    'TERM_NOT_MULTIPLE',
    'With QUARTERLY send a term of a multiple of 3 months.',
  ],
  [
    'a plan beyond the calendar',
    { '/terms/firstDueDate': '2199-12-31' },
    '/terms/firstDueDate',
    'PLAN_ENDS_TOO_LATE',
    /^Choose an earlier date or a shorter term/,
  ],
  [
    'a down payment in another currency',
    { '/terms/downPayment': { amount: '5', currency: 'USD' } },
    '/terms/downPayment/currency',
    'CURRENCY_MISMATCH',
    'Send this amount in EUR, the currency of the financed amount.',
  ],
  [
    'a residual value in another currency',
    { '/terms/residualValue': { amount: '5', currency: 'USD' } },
    '/terms/residualValue/currency',
    'CURRENCY_MISMATCH',
    'Send this amount in EUR, the currency of the financed amount.',
  ],
  [
    'a residual value above the amount',
    { '/terms/residualValue/amount': '12500.01' },
    '/terms/residualValue/amount',
    'RESIDUAL_TOO_LARGE',
    'Send a residual value of at most 12500.00 EUR, so that every instalment repays.',
  ],
]

describe.each(STORE_KINDS)('fields of a new contract on %s (spec 2.2)', (store) => {
  let host: Host
  let body: ReturnType<typeof whole>
  beforeAll(async () => {
    host = await startHost({ store })
    body = whole(await createParty(host.as('paul', ...PREPARING)))
  })
  afterAll(() => host.close())

  const sent = (document: unknown) =>
    host.as('paul', ...PREPARING).post('/contracts?dryRun=true', document)

  test('200 for every value at its limits, and with every optional field away', async () => {
    for (const [pointer, value] of ACCEPTED) {
      const answer = await sent(withValue(body, pointer, value))
      expect(answer.status, `${pointer} ${JSON.stringify(value)} ${answer.text}`).toBe(200)
    }
  })

  test('400 with pointer, code and sentence for every value beyond its limits', async () => {
    const before = await leftBehind(host.db)
    for (const [pointer, value, code, detail] of REFUSED) {
      expectFaults(await sent(withValue(body, pointer, value)), [{ pointer, code, detail }])
    }
    expect(await leftBehind(host.db)).toEqual(before)
  })

  test('400 that names all faults at once', async () => {
    const several = withValue(withValue(body, '/type', 'X'), '/terms/termMonths', 0)
    expectFaults(await sent({ ...several, externalRef: '' }), [
      { pointer: '/type', code: 'NOT_ALLOWED', detail: /./ },
      { pointer: '/terms/termMonths', code: 'TOO_SMALL', detail: /./ },
      { pointer: '/externalRef', code: 'TOO_SHORT', detail: /./ },
    ])
    const amounts = withValue(withValue(body, AMOUNT, '0'), '/terms/nominalRate', '101')
    expectFaults(await sent(amounts), [
      { pointer: AMOUNT, code: 'AMOUNT_NOT_POSITIVE', detail: 'Send an amount above 0.' },
      { pointer: '/terms/nominalRate', code: 'RATE_OUT_OF_RANGE', detail: /./ },
    ])
  })

  test.each(RULES)('422 for %s', async (_, values, pointer, code, detail) => {
    const document = Object.entries(values).reduce(
      (changed, [place, value]) => withValue(changed, place, value),
      body,
    )
    expectRefusal(await sent(document), 422, 'RULE_VIOLATED', [{ pointer, code, detail }])
  })

  test.each([
    ['[]', '', 'WRONG_TYPE'],
    ['"LOAN"', '', 'WRONG_TYPE'],
    ['null', '', 'WRONG_TYPE'],
    ['{', '', 'JSON_MALFORMED'],
    ['', '', 'REQUIRED'],
  ])('400 for the body %j', async (text, pointer, code) => {
    expectFaults(await sent(text), [{ pointer, code, detail: /./ }])
  })
})
