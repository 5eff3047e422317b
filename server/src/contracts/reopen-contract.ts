import { Reason } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { contractActions } from './actions.ts'
import { changeOf } from './change-fact.ts'
import { Contract, ContractParams } from './contract.ts'
import { reopen } from './move-store.ts'
import { contractForUpdate } from './store.ts'
import { contractView } from './view.ts'

export const reopenContract = command({
  id: 'reopenContract',
  surface: 'operations',
  method: 'POST',
  path: '/contracts/:contract_id/reopen',
  summary: 'Reopen an approved contract: it is a draft again, its approval void, its story kept.',
  action: contractActions.reopen,
  params: ContractParams,
  body: Reason,
  reply: Contract,
  load: (tx, params) => contractForUpdate(tx, params.contract_id),

  async run({ tx, caller, subject: contract, body, calendar }) {
    const reopened = await reopen(tx, contract, caller, body.reason)
    return {
      reply: contractView(reopened, caller, calendar.today()),
      event: changeOf('contract.reopened', contract, reopened, body),
    }
  },
})
