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
})
