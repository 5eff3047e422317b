import { Type } from 'typebox'
import { Exact, Text } from '../base/schema.ts'
import { changeErrors } from '../changes/index.ts'
import { command } from '../http/route.ts'
import { contractActions } from './actions.ts'
import { changeOf } from './change-fact.ts'
import { Contract, ContractParams } from './contract.ts'
import { decide } from './move-store.ts'
import { contractForUpdate } from './store.ts'
import { contractView } from './view.ts'

export const approveContract = command({
  id: 'approveContract',
  surface: 'operations',
  method: 'POST',
  path: '/contracts/:contract_id/approve',
  summary: 'Approve a contract that another user prepared.',
  action: contractActions.approve,
  params: ContractParams,
  body: Exact({ comment: Type.Optional(Text(1_000)) }),
  bodyOptional: true,
  reply: Contract,
  errors: [changeErrors.ALREADY_DECIDED],
  load: (tx, params) => contractForUpdate(tx, params.contract_id),

  async run({ tx, caller, subject: contract, body, versionStated, calendar }) {
    const approved = await decide(tx, contract, {
      move: 'approve',
      caller,
      versionStated: versionStated !== undefined,
      comment: body?.comment,
    })
    return {
      reply: contractView(approved, caller, calendar.today()),
      event: changeOf('contract.approved', contract, approved, { reason: body?.comment }),
    }
  },
})
