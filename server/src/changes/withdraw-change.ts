import { command, type Route } from '../http/route.ts'
import { changeActionsOf } from './actions.ts'
import { Change, Reason } from './change.ts'
import { changeFact } from './change-fact.ts'
import { ChangeParams, changeInHand } from './change-params.ts'
import { changeErrors } from './errors.ts'
import type { ChangeResource } from './resource.ts'
import { withdrawChange } from './store.ts'
import { changeView } from './view.ts'

export function withdrawChangeOf(resource: ChangeResource): Route {
  const { path, itemParam, itemKind } = resource
  return command({
    id: `withdraw${resource.name}Change`,
    surface: 'operations',
    method: 'POST',
    path: `${path}/:${itemParam}/changes/:change_id/withdraw`,
    summary: `Withdraw a proposed change of a ${itemKind}, with a reason. Its story stays.`,
    action: changeActionsOf(resource).withdraw,
    params: ChangeParams(itemParam),
    body: Reason,
    reply: Change,
    errors: [changeErrors.ALREADY_DECIDED],
    load: (tx, params) => changeInHand(tx, resource, params),

    async run({ tx, caller, subject: change, body }) {
      const withdrawn = await withdrawChange(tx, change, caller, body.reason)
      return {
        reply: changeView(withdrawn, resource, caller),
        event: changeFact('change.withdrawn', withdrawn, body.reason),
      }
    },
  })
}
