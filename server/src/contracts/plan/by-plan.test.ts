import { describe, expect, test } from 'vitest'
import { nextDueOf, outstandingByPlan } from './by-plan.ts'
import { planOf } from './plan.ts'

const financed = { amount: '300.00', currency: 'EUR' }
const outcome = planOf({
  financedAmount: financed,
  nominalRate: '0',
  termMonths: 3,
  firstDueDate: '2026-01-31',
})
const rows = outcome.ok ? outcome.plan.rows : []

describe('by plan', () => {
  test.each([
    ['2025-12-01', '2026-01-31'],
    ['2026-01-31', '2026-01-31'],
    ['2026-02-01', '2026-02-28'],
    ['2026-03-31', '2026-03-31'],
    ['2026-04-01', undefined],
  ])('on %s the next due date is %s', (today, due) => {
    expect(nextDueOf(rows, today)).toBe(due)
  })

  test.each([
    ['2026-01-30', '300.00'],
    ['2026-01-31', '200.00'],
    ['2026-02-27', '200.00'],
    ['2026-02-28', '100.00'],
    ['2026-03-31', '0.00'],
    ['2030-01-01', '0.00'],
  ])('at the end of %s %s EUR are outstanding', (date, amount) => {
    expect(outstandingByPlan(rows, financed, date)).toEqual({ amount, currency: 'EUR' })
  })
})
