import type { Refusal } from '../base/errors.ts'
import type { Action } from '../http/action.ts'
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
  return {
    approve: { name: 'approve', ...decided, stateRefusal: decidedRefusal },
    reject: { name: 'reject', ...decided, stateRefusal: decidedRefusal },
    withdraw: {
      name: 'withdraw',
      permission: resource.preparePermission,
      stateRefusal: decidedRefusal,
    },
  }
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
