import { Type } from 'typebox'
import { CalendarDay, Exact } from '../base/schema.ts'
import { changeErrors } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { contractActions } from './actions.ts'
import { requireDay } from './business-day.ts'
import { changeOf } from './change-fact.ts'
import { Contract, ContractParams } from './contract.ts'
import { activate } from './move-store.ts'
import { ruleViolated } from './rule-violated.ts'
import { contractForUpdate } from './store.ts'
import { contractView } from './view.ts'

export const activateContract = command({
  id: 'activateContract',
  surface: 'operations',
  method: 'POST',
  path: '/contracts/:contract_id/activate',
  summary: 'Activate an approved contract. Nobody who prepared it can do so.',
  action: contractActions.activate,
  params: ContractParams,
  body: Exact({ activationDate: Type.Optional(CalendarDay) }),
  bodyOptional: true,
  reply: Contract,
  errors: [changeErrors.CHANGE_ALREADY_PENDING],
  load: (tx, params) => contractForUpdate(tx, params.contract_id),

  async run({ tx, caller, subject: contract, body, calendar }) {
    const today = calendar.today()
    const activationDate = body?.activationDate ?? today
    requireDay('/activationDate', activationDate)
    if (contract.partyState !== 'ACTIVE') {
      throw ruleViolated('/partyId', 'PARTY_NOT_ACTIVE', 'The party is blocked or erased.')
    }
    const active = await activate(tx, contract, caller, activationDate)
    return {
      reply: contractView(active, caller, today),
      event: changeOf('contract.activated', contract, active),
    }
  },
})
