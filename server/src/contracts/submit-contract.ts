import { nobodyToDecide } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { contractActions } from './actions.ts'
import { changeOf } from './change-fact.ts'
import { Contract, ContractParams } from './contract.ts'
import { submit } from './move-store.ts'
import { contractForUpdate } from './store.ts'
import { contractView } from './view.ts'

export const submitContract = command({
  id: 'submitContract',
  surface: 'operations',
  method: 'POST',
  path: '/contracts/:contract_id/submit',
  summary: 'Submit a draft for another user’s approval. Who submits is one of its preparers.',
  action: contractActions.submit,
  params: ContractParams,
  reply: Contract,
  load: (tx, params) => contractForUpdate(tx, params.contract_id),

  async run({ tx, caller, subject: contract, calendar }) {
    const submitted = await submit(tx, contract, caller)
    return {
      reply: contractView(submitted, caller, calendar.today()),
      warnings: await nobodyToDecide(tx, 'contract:approve', submitted.preparers),
      event: changeOf('contract.submitted', contract, submitted),
    }
  },
})
