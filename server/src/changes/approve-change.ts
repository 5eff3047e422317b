import { Type } from 'typebox'
import { Exact, Text } from '../base/schema.ts'
import { httpErrors } from '../http/errors.ts'
import { command, type Route } from '../http/route.ts'
import { changeActionsOf } from './actions.ts'
import { Change } from './change.ts'
import { changeFact } from './change-fact.ts'
import { ChangeParams, changeInHand } from './change-params.ts'
import { changeErrors } from './errors.ts'
import type { ChangeInHand, ChangeResource } from './resource.ts'
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
      requireSameItem(change)
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

/** What was proposed was seen against one version of the item; it is approved against no other. */
function requireSameItem({ baseVersion, item }: ChangeInHand): void {
  if (item.version === baseVersion) return
  throw httpErrors.INVALID_STATE(
    `The item has changed since this was proposed (version ${baseVersion}, now ${item.version}). Reject the change and propose it anew.`,
    { baseVersion, version: item.version },
  )
}
