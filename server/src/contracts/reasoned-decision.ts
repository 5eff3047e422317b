import { changeErrors, Reason } from '../changes/index.ts'
import { command, type Route } from '../http/route.ts'
import { contractActions } from './actions.ts'
import { changeOf } from './change-fact.ts'
import { Contract, ContractParams } from './contract.ts'
import { decide } from './move-store.ts'
import { contractForUpdate } from './store.ts'
import { contractView } from './view.ts'

interface ReasonedDecision {
  readonly id: string
  readonly move: 'reject' | 'return'
  readonly summary: string
  readonly eventName: `contract.${string}`
}

/** Rejecting and returning differ in where the contract goes, not in how it is decided. */
export function reasonedDecision({ id, move, summary, eventName }: ReasonedDecision): Route {
  return command({
    id,
    surface: 'operations',
    method: 'POST',
    path: `/contracts/:contract_id/${move}`,
    summary,
    action: contractActions[move],
    params: ContractParams,
    body: Reason,
    reply: Contract,
    errors: [changeErrors.ALREADY_DECIDED],
    load: (tx, params) => contractForUpdate(tx, params.contract_id),

    async run({ tx, caller, subject: contract, body, versionStated, calendar }) {
      const decided = await decide(tx, contract, {
        move,
        caller,
        versionStated: versionStated !== undefined,
        comment: body.reason,
      })
      return {
        reply: contractView(decided, caller, calendar.today()),
        event: changeOf(eventName, contract, decided, body),
      }
    },
  })
}
