import { command, type Route } from '../http/route.ts'
import { changeActionsOf } from './actions.ts'
import { Change, Reason } from './change.ts'
import { changeFact } from './change-fact.ts'
import { ChangeParams, changeInHand } from './change-params.ts'
import { changeErrors } from './errors.ts'
import type { ChangeResource } from './resource.ts'
import { decideChange } from './store.ts'
import { changeView } from './view.ts'

export function rejectChangeOf(resource: ChangeResource): Route {
  const { path, itemParam, itemKind } = resource
  return command({
    id: `reject${resource.name}Change`,
    surface: 'operations',
    method: 'POST',
    path: `${path}/:${itemParam}/changes/:change_id/reject`,
    summary: `Reject a change of a ${itemKind} that another user proposed, with a reason.`,
    action: changeActionsOf(resource).reject,
    params: ChangeParams(itemParam),
    body: Reason,
    reply: Change,
    errors: [changeErrors.ALREADY_DECIDED],
    load: (tx, params) => changeInHand(tx, resource, params),

    async run({ tx, caller, subject: change, body, versionStated }) {
      const rejected = await decideChange(tx, change, {
        decision: 'REJECTED',
        caller,
        versionStated: versionStated !== undefined,
        comment: body.reason,
      })
      return {
        reply: changeView(rejected, resource, caller),
        event: changeFact('change.rejected', rejected, body.reason),
      }
    },
  })
}
