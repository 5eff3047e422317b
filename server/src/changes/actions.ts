import type { Caller } from '../access/caller.ts'
import { isScoped } from '../access/scope.ts'
import type { Refusal } from '../base/errors.ts'
import { type Action, scopedRefusal } from '../http/action.ts'
import { httpErrors } from '../http/errors.ts'
import { changeErrors } from './errors.ts'
import type { ChangeResource } from './resource.ts'
import type { StoredChange } from './stored-change.ts'

export interface ChangeActions {
  readonly approve: Action<StoredChange>
  readonly reject: Action<StoredChange>
  readonly withdraw: Action<StoredChange>
}

export function changeActionsOf(resource: ChangeResource): ChangeActions {
  const decided = { permission: resource.approvePermission, fourEyes: true } as const
  const refusal = (change: StoredChange, caller: Caller): Refusal | undefined =>
    houseRefusal(change, caller, resource) ?? decidedRefusal(change)
  return {
    approve: {
      name: 'approve',
      ...decided,
      stateRefusal: (change, caller) => refusal(change, caller) ?? movedRefusal(change),
    },
    reject: { name: 'reject', ...decided, stateRefusal: refusal },
    withdraw: {
      name: 'withdraw',
      permission: resource.preparePermission,
      stateRefusal: refusal,
    },
  }
}

function houseRefusal(
  { kind }: StoredChange,
  caller: Caller,
  { houseOnly, approvePermission }: ChangeResource,
): Refusal | undefined {
  return houseOnly.includes(kind) && isScoped(caller) ? scopedRefusal(approvePermission) : undefined
}

function decidedRefusal({ state, decisions }: StoredChange): Refusal | undefined {
  if (state === 'PENDING') return undefined
  const last = decisions.at(-1)
  if (last === undefined) {
    return httpErrors.INVALID_STATE.refusal('This change was withdrawn.', {
      state,
      allowedStates: ['PENDING'],
    })
  }
  return changeErrors.ALREADY_DECIDED.refusal(
    `${last.by.username} decided this change on ${last.at.slice(0, 10)}: ${last.decision.toLowerCase()}.`,
    { state, decision: last.decision, decidedBy: last.by, decidedAt: last.at },
  )
}

/** What was proposed was seen against one version of the item; it is approved against no other. */
function movedRefusal({ baseVersion, itemVersion }: StoredChange): Refusal | undefined {
  if (itemVersion === baseVersion) return undefined
  return httpErrors.INVALID_STATE.refusal(
    `The item has changed since this was proposed (version ${baseVersion}, now ${itemVersion}). Reject the change and propose it anew.`,
    { baseVersion, itemVersion },
  )
}
