import { Type } from 'typebox'
import { Exact, Text } from '../base/schema.ts'
import { command, type Route } from '../http/route.ts'
import { changeActionsOf } from './actions.ts'
import { Change } from './change.ts'
import { changeFact } from './change-fact.ts'
import { ChangeParams, changeInHand } from './change-params.ts'
import { changeErrors } from './errors.ts'
import type { ChangeResource } from './resource.ts'
import { decideChange } from './store.ts'
import { changeView } from './view.ts'

export function approveChangeOf(resource: ChangeResource): Route {
  const { path, itemParam, itemKind } = resource
  return command({
    id: `approve${resource.name}Change`,
    surface: 'operations',
    method: 'POST',
    path: `${path}/:${itemParam}/changes/:change_id/approve`,
    summary: `Approve a change of a ${itemKind} that another user proposed; it takes effect at once.`,
    action: changeActionsOf(resource).approve,
    params: ChangeParams(itemParam),
    body: Exact({ comment: Type.Optional(Text(1_000)) }),
    bodyOptional: true,
    reply: Change,
    errors: [changeErrors.ALREADY_DECIDED],
    load: (tx, params) => changeInHand(tx, resource, params),

    async run({ tx, caller, subject: change, body, versionStated, calendar }) {
      const approved = await decideChange(tx, change, {
        decision: 'APPROVED',
        caller,
        versionStated: versionStated !== undefined,
        comment: body?.comment,
      })
      const effect = await resource.carryOut(tx, approved, { caller, calendar })
      return {
        reply: changeView(approved, resource, caller),
        event: changeFact('change.approved', approved, body?.comment),
        also: [effect],
      }
    },
  })
}
