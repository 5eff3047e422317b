import { Reason } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { contractActions } from './actions.ts'
import { changeOf } from './change-fact.ts'
import { Contract, ContractParams } from './contract.ts'
import { withdraw } from './move-store.ts'
import { contractForUpdate } from './store.ts'
import { contractView } from './view.ts'

export const withdrawContract = command({
  id: 'withdrawContract',
  surface: 'operations',
  method: 'POST',
  path: '/contracts/:contract_id/withdraw',
  summary: 'Withdraw a contract that is not active yet, with a reason. Its story stays.',
  action: contractActions.withdraw,
  params: ContractParams,
  body: Reason,
  reply: Contract,
  load: (tx, params) => contractForUpdate(tx, params.contract_id),

  async run({ tx, caller, subject: contract, body, calendar }) {
    const withdrawn = await withdraw(tx, contract, caller, body.reason)
    return {
      reply: contractView(withdrawn, caller, calendar.today()),
      event: changeOf('contract.withdrawn', contract, withdrawn, body),
    }
  },
})
