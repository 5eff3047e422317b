import { describe, expect, test } from 'vitest'
import type { Money } from '../../base/money.ts'
import { planOf } from './plan.ts'
import type { Terms } from './terms.ts'

const eur = (amount: string): Money => ({ amount, currency: 'EUR' })

const LEAST: Terms = {
  financedAmount: eur('12000.00'),
  nominalRate: '6',
  termMonths: 12,
  firstDueDate: '2026-02-01',
}

function faultsOf(terms: Partial<Terms>): unknown {
  const outcome = planOf({ ...LEAST, ...terms })
  if (outcome.ok) return 'accepted'
  return [outcome.kind, ...outcome.faults.map(({ pointer, code }) => `${pointer} ${code}`)]
}

describe('malformed terms', () => {
  test.each<[Partial<Terms>, string]>([
    [{ financedAmount: eur('0.00') }, '/terms/financedAmount/amount AMOUNT_NOT_POSITIVE'],
    [{ financedAmount: eur('1.005') }, '/terms/financedAmount/amount AMOUNT_TOO_MANY_DECIMALS'],
    [
      { financedAmount: { amount: '1', currency: 'XXX' } },
      '/terms/financedAmount/currency CURRENCY_UNKNOWN',
    ],
    [{ downPayment: eur('-1') }, '/terms/downPayment/amount AMOUNT_NEGATIVE'],
    [{ residualValue: eur('1e3') }, '/terms/residualValue/amount AMOUNT_NOT_DECIMAL'],
    [{ nominalRate: '101' }, '/terms/nominalRate RATE_OUT_OF_RANGE'],
    [{ vatRate: '19 %' }, '/terms/vatRate RATE_NOT_DECIMAL'],
    [{ firstDueDate: '2026-02-30' }, '/terms/firstDueDate DATE_NOT_CALENDAR'],
    [{ termMonths: 0 }, '/terms/termMonths TERM_OUT_OF_RANGE'],
    [{ termMonths: 601 }, '/terms/termMonths TERM_OUT_OF_RANGE'],
    [{ termMonths: 1.5 }, '/terms/termMonths TERM_OUT_OF_RANGE'],
  ])('%j', (terms, fault) => {
    expect(faultsOf(terms)).toEqual(['MALFORMED', fault])
  })

  test('all faults are told at once', () => {
    expect(faultsOf({ nominalRate: 'x', vatRate: 'y', termMonths: 0 })).toEqual([
      'MALFORMED',
      '/terms/nominalRate RATE_NOT_DECIMAL',
      '/terms/vatRate RATE_NOT_DECIMAL',
      '/terms/termMonths TERM_OUT_OF_RANGE',
    ])
  })
})

describe('terms that break a rule together', () => {
  test.each<[Partial<Terms>, string]>([
    [{ frequency: 'QUARTERLY', termMonths: 13 }, '/terms/termMonths TERM_NOT_MULTIPLE'],
    [{ frequency: 'HALF_YEARLY', termMonths: 9 }, '/terms/termMonths TERM_NOT_MULTIPLE'],
    [{ frequency: 'YEARLY', termMonths: 6 }, '/terms/termMonths TERM_NOT_MULTIPLE'],
    [{ firstDueDate: '2199-06-01' }, '/terms/firstDueDate PLAN_ENDS_TOO_LATE'],
    [
      { residualValue: { amount: '1.00', currency: 'USD' } },
      '/terms/residualValue/currency CURRENCY_MISMATCH',
    ],
    [
      { downPayment: { amount: '1.00', currency: 'USD' } },
      '/terms/downPayment/currency CURRENCY_MISMATCH',
    ],
    [{ residualValue: eur('12000.01') }, '/terms/residualValue/amount RESIDUAL_TOO_LARGE'],
    [
      { residualValue: eur('12000.00'), nominalRate: '0' },
      '/terms/residualValue/amount RESIDUAL_TOO_LARGE',
    ],
    [
      { residualValue: eur('12000.00'), termMonths: 1, timing: 'ADVANCE' },
      '/terms/residualValue/amount RESIDUAL_TOO_LARGE',
    ],
  ])('%j', (terms, fault) => {
    expect(faultsOf(terms)).toEqual(['VIOLATED', fault])
  })

  test('in advance the residual is at most the financed amount less one period of discount', () => {
    const terms: Partial<Terms> = {
      financedAmount: eur('11000.00'),
      nominalRate: '10',
      termMonths: 60,
      frequency: 'YEARLY',
      timing: 'ADVANCE',
    }
    expect(faultsOf({ ...terms, residualValue: eur('10000.00') })).toBe('accepted')
    expect(planOf({ ...LEAST, ...terms, residualValue: eur('10000.01') })).toEqual({
      ok: false,
      kind: 'VIOLATED',
      faults: [
        {
          pointer: '/terms/residualValue/amount',
          code: 'RESIDUAL_TOO_LARGE',
          detail: 'Send a residual value of at most 10000.00 EUR, so that every instalment repays.',
        },
      ],
    })
  })

  test('a single row in advance bears no interest and may leave all but the last cent', () => {
    const single: Partial<Terms> = { termMonths: 1, timing: 'ADVANCE' }
    expect(faultsOf({ ...single, residualValue: eur('11999.99') })).toBe('accepted')
  })

  test('several broken rules are told at once', () => {
    expect(
      faultsOf({ frequency: 'YEARLY', termMonths: 13, residualValue: eur('12000.01') }),
    ).toEqual([
      'VIOLATED',
      '/terms/termMonths TERM_NOT_MULTIPLE',
      '/terms/residualValue/amount RESIDUAL_TOO_LARGE',
    ])
  })
})

describe('422 INSTALMENTS_UNEVEN where the minor unit is too coarse for the plan', () => {
  test.each<[string, Partial<Terms>]>([
    ['a cent over a year', { financedAmount: eur('0.01') }],
    [
      '9 cents over a year, repaid by the ninth row',
      { financedAmount: eur('0.09'), nominalRate: '0' },
    ],
    [
      '8.99 over 50 years, 3.00 of it last',
      { financedAmount: eur('8.99'), nominalRate: '0', termMonths: 600 },
    ],
    [
      '100 % over 50 years, which repays nothing until the end',
      { nominalRate: '100', termMonths: 600 },
    ],
    [
      '10 of 100,000 repaid over 50 years, less than rounding moves',
      {
        financedAmount: eur('100000.00'),
        residualValue: eur('99990.00'),
        nominalRate: '7',
        termMonths: 600,
      },
    ],
    [
      'a yen in two years in advance, repaid by the first',
      {
        financedAmount: { amount: '1', currency: 'JPY' },
        nominalRate: '100',
        termMonths: 24,
        frequency: 'YEARLY',
        timing: 'ADVANCE',
      },
    ],
  ])('%s', (_, terms) => {
    expect(faultsOf(terms)).toEqual(['VIOLATED', '/terms/termMonths INSTALMENTS_UNEVEN'])
  })

  test('a cent in one month is a plan', () => {
    expect(faultsOf({ financedAmount: eur('0.01'), termMonths: 1 })).toBe('accepted')
  })
})
