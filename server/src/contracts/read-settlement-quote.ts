import { Type } from 'typebox'
import { readDate } from '../base/dates.ts'
import { CalendarDay, Exact, Id, MoneyAmount } from '../base/schema.ts'
import { httpErrors } from '../http/errors.ts'
import { query } from '../http/route.ts'
import { ContractParams } from './contract.ts'
import { settlementOf } from './settlement-quote.ts'
import { contractById } from './store.ts'

const SettlementQuote = Type.Object({
  contractId: Id,
  partyId: Id,
  date: CalendarDay,
  byPlan: Type.Boolean({ description: 'always true: payments are not kept' }),
  outstanding: MoneyAmount,
  accruedInterest: MoneyAmount,
  total: MoneyAmount,
})

export const readSettlementQuote = query({
  id: 'readSettlementQuote',
  surface: 'operations',
  path: '/contracts/:contract_id/settlement-quote',
  summary: 'What would settle the contract on a day, by plan.',
  permission: ['contract:read', 'contract:approve'],
  params: ContractParams,
  query: Exact({ date: Type.Optional(CalendarDay) }),
  reply: SettlementQuote,
  accessed: ({ contractId, partyId }) => ({ kind: 'contract', id: contractId, partyId }),
  errors: [httpErrors.INVALID_STATE],

  async run({ read, params, query, calendar }) {
    const date = query.date ?? calendar.today()
    const day = readDate(date)
    if (!day.ok) {
      throw httpErrors.VALIDATION_FAILED(day.fault.detail, {
        errors: [{ pointer: '/query/date', ...day.fault }],
      })
    }
    const contract = await contractById(read, params.contract_id)
    if (contract.state !== 'ACTIVE') {
      throw httpErrors.INVALID_STATE('Only an active contract can be settled.', {
        state: contract.state,
        allowedStates: ['ACTIVE'],
      })
    }
    const { id: contractId, partyId } = contract
    return { contractId, partyId, date, byPlan: true, ...settlementOf(contract, date) }
  },
})
