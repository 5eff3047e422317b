import { CalendarDay, Exact, Text } from '../base/schema.ts'
import {
  Change,
  type ChangeKind,
  changeErrors,
  changeFact,
  changeView,
  proposeChange,
} from '../changes/index.ts'
import { API_PREFIX, command, type Route } from '../http/route.ts'
import { contractActions } from './actions.ts'
import { requireDay } from './business-day.ts'
import { ContractParams } from './contract.ts'
import { contractChanges } from './contract-changes.ts'
import { MOVES } from './states.ts'
import { contractForUpdate } from './store.ts'

interface ProposedEnding {
  readonly id: string
  readonly move: 'settle' | 'terminate'
  readonly kind: ChangeKind
  readonly summary: string
}

/** Settling and terminating differ in where the contract goes, not in how it gets there. */
export function proposeEnding({ id, move, kind, summary }: ProposedEnding): Route {
  return command({
    id,
    surface: 'operations',
    method: 'POST',
    path: `/contracts/:contract_id/${move}`,
    summary,
    action: contractActions[move],
    params: ContractParams,
    body: Exact({ reason: Text(1_000), effectiveDate: CalendarDay }),
    reply: Change,
    status: 202,
    errors: [changeErrors.CHANGE_ALREADY_PENDING],
    load: (tx, params) => contractForUpdate(tx, params.contract_id),

    async run({ tx, caller, subject: contract, body }) {
      requireDay('/effectiveDate', body.effectiveDate)
      const change = await proposeChange(tx, {
        kind,
        itemKind: 'contract',
        item: contract,
        partyId: contract.partyId,
        partnerId: contract.partnerId,
        reason: body.reason,
        before: { state: contract.state },
        after: { state: MOVES[move].to, effectiveDate: body.effectiveDate },
        proposal: { effectiveDate: body.effectiveDate },
        caller,
      })
      return {
        reply: changeView(change, contractChanges, caller),
        location: `${API_PREFIX}/contracts/${contract.id}/changes/${change.id}`,
        event: changeFact('change.proposed', change, body.reason),
      }
    },
  })
}
