import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

describe.each(STORE_KINDS)('readSettlementQuote on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  const quote = (id: string, date: string) =>
    host.as('reader', 'contract:read').get(`/contracts/${id}/settlement-quote?date=${date}`)

  /** 12,000.00 over 12 months at 6 %: half a percent a month, 1,032.80 each. */
  const content = () => ({
    partyId,
    terms: {
      financedAmount: { amount: '12000.00', currency: 'EUR' },
      nominalRate: '6',
      termMonths: 12,
      firstDueDate: '2027-01-31',
    },
  })

  test('on a due date: the balance by plan and no interest (platform 4)', async () => {
    const id = await contractIn(host, 'ACTIVE', content())
    const answer = await quote(id, '2027-01-31')
    expect(answer.body, answer.text).toMatchObject({
      byPlan: true,
      outstanding: { amount: '11027.20' },
      accruedInterest: { amount: '0.00' },
      total: { amount: '11027.20' },
    })
  })

  test('between: the interest since then by 30/360 days', async () => {
    const id = await contractIn(host, 'ACTIVE', content())
    // 15 days after 31 January: 11,027.20 × 6 % × 15 / 360 = 27.568
    expect((await quote(id, '2027-02-15')).body).toMatchObject({
      outstanding: { amount: '11027.20' },
      accruedInterest: { amount: '27.57' },
      total: { amount: '11054.77' },
    })
  })

  test('after the last row nothing is left; before the first the begun period counts', async () => {
    const id = await contractIn(host, 'ACTIVE', content())
    expect((await quote(id, '2028-06-30')).body.total.amount).toBe('0.00')
    // One day before the first due date: 29 of 30 days, 12,000 × 6 % × 29 / 360 = 58.00
    expect((await quote(id, '2027-01-29')).body).toMatchObject({
      outstanding: { amount: '12000.00' },
      accruedInterest: { amount: '58.00' },
    })
  })

  test('409 INVALID_STATE for a contract that is not active; 400 for a day that does not exist', async () => {
    const draft = await contractIn(host, 'DRAFT', { partyId })
    expect(await quote(draft, '2027-01-31')).toMatchObject({ status: 409, code: 'INVALID_STATE' })
    const id = await contractIn(host, 'ACTIVE', { partyId })
    expect((await quote(id, '2027-02-30')).body.errors).toMatchObject([{ pointer: '/query/date' }])
  })

  const quoted = async (terms: object, days: Readonly<Record<string, readonly string[]>>) => {
    const id = await contractIn(host, 'ACTIVE', { partyId, terms } as never)
    for (const [date, [outstanding, accrued, total]] of Object.entries(days)) {
      const { body, text } = await quote(id, date)
      expect(body, `${date} ${text}`).toMatchObject({
        ...{ date, outstanding: { amount: outstanding } },
        ...{ accruedInterest: { amount: accrued }, total: { amount: total } },
      })
    }
  }

  test('a due day that a month lacks makes no period longer than its thirty days (platform 6)', async () => {
    // Second row on 28 February: 55.14 interest, 977.66 principal, 10,049.54 left; half a percent of it is 50.25.
    await quoted(content().terms, {
      '2027-02-28': ['10049.54', '0.00', '10049.54'],
      '2027-03-01': ['10049.54', '1.67', '10051.21'],
      '2027-03-15': ['10049.54', '25.12', '10074.66'],
      '2027-03-30': ['10049.54', '50.25', '10099.79'],
    })
  })

  test('in advance: nothing accrues before the first row (platform 6)', async () => {
    // 3,000.00 at one percent a month in three rows: 1,009.97 each, 1,990.03 and 999.96 left.
    const terms = {
      ...{ financedAmount: { amount: '3000.00', currency: 'EUR' }, nominalRate: '12' },
      ...{ termMonths: 3, timing: 'ADVANCE', firstDueDate: '2027-04-10' },
    }
    await quoted(terms, {
      '2027-03-01': ['3000.00', '0.00', '3000.00'],
      '2027-04-10': ['1990.03', '0.00', '1990.03'],
      '2027-04-20': ['1990.03', '6.63', '1996.66'],
      '2027-05-10': ['999.96', '0.00', '999.96'],
      '2027-06-10': ['0.00', '0.00', '0.00'],
    })
  })

  test('the residual value is still owed at the end; zero interest accrues none (platform 6)', async () => {
    const money = (amount: string) => ({ amount, currency: 'EUR' })
    // 1,000.00 down to 500.00 in two rows at one percent a month: 258.76, of it 10.00 interest.
    const residual = {
      ...{ financedAmount: money('1000.00'), residualValue: money('500.00'), nominalRate: '12' },
      ...{ termMonths: 2, firstDueDate: '2027-01-15' },
    }
    await quoted(residual, {
      '2027-01-15': ['751.24', '0.00', '751.24'],
      '2027-02-14': ['751.24', '7.26', '758.50'],
      '2027-02-15': ['500.00', '0.00', '500.00'],
      '2030-01-01': ['500.00', '0.00', '500.00'],
    })
    const free = {
      ...{ financedAmount: money('1200.00'), nominalRate: '0', termMonths: 12 },
      firstDueDate: '2027-01-31',
    }
    await quoted(free, {
      '2027-01-01': ['1200.00', '0.00', '1200.00'],
      '2027-02-27': ['1100.00', '0.00', '1100.00'],
      '2027-06-30': ['600.00', '0.00', '600.00'],
    })
  })

  test('quarters and currencies without decimals are reckoned alike (platform 6)', async () => {
    const terms = {
      ...{ financedAmount: { amount: '12000', currency: 'JPY' }, nominalRate: '6' },
      ...{ termMonths: 12, frequency: 'QUARTERLY', firstDueDate: '2027-03-31' },
    }
    // Before the first row the begun quarter counts: 12,000 × 6 % × 58 / 360 = 116.
    await quoted(terms, {
      '2026-12-30': ['12000', '0', '12000'],
      '2027-01-01': ['12000', '2', '12002'],
      '2027-02-28': ['12000', '116', '12116'],
      '2027-03-30': ['12000', '180', '12180'],
    })
  })

  test('today when no day is given; 400 for other parameters', async () => {
    const id = await contractIn(host, 'ACTIVE', { partyId })
    const path = `/contracts/${id}/settlement-quote`
    const reader = host.as('reader', 'contract:approve')
    expect((await reader.get(path)).body.date).toBe(new Date().toISOString().slice(0, 10))
    expect((await reader.get(`${path}?day=2027-01-31`)).body.errors).toMatchObject([
      { pointer: '/query/day', code: 'UNKNOWN_PARAMETER' },
    ])
  })
})
