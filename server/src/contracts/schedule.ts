import { type Static, Type } from 'typebox'
import { CalendarDay, Id, MoneyAmount } from '../base/schema.ts'
import { type Plan, planOf } from './plan/index.ts'
import type { StoredContract } from './stored-contract.ts'

export const ScheduleRow = Type.Object({
  no: Type.Integer(),
  dueDate: CalendarDay,
  principal: MoneyAmount,
  interest: MoneyAmount,
  total: MoneyAmount,
  vat: Type.Optional(MoneyAmount),
  gross: Type.Optional(MoneyAmount),
  balanceAfter: MoneyAmount,
})

export const Schedule = Type.Object({
  contractId: Id,
  partyId: Id,
  version: Type.Integer(),
  byPlan: Type.Boolean({ description: 'always true: payments are not kept' }),
  rows: Type.Array(ScheduleRow),
})
export type Schedule = Static<typeof Schedule>

/** Rows are reckoned when asked for: they follow from the terms alone. */
export function planOfContract({ id, terms }: StoredContract): Plan {
  const outcome = planOf(terms)
  if (!outcome.ok) throw new Error(`The stored terms of ${id} give no plan.`)
  return outcome.plan
}

export function scheduleView(contract: StoredContract): Schedule {
  const { rows } = planOfContract(contract)
  const { id: contractId, partyId } = contract
  return { contractId, partyId, version: contract.version, byPlan: true, rows: [...rows] }
}
