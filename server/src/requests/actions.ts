import type { Refusal } from '../base/errors.ts'
import { changeErrors } from '../changes/index.ts'
import type { Action } from '../http/action.ts'
import type { StoredRequest } from './stored-request.ts'

type RequestAction = Action<StoredRequest>

export const requestActions = {
  accept: { name: 'accept', permission: 'party:update', stateRefusal: answeredRefusal },
  decline: { name: 'decline', permission: 'party:update', stateRefusal: answeredRefusal },
} as const satisfies Record<string, RequestAction>

export const requestActionList: readonly RequestAction[] = Object.values(requestActions)

function answeredRefusal({ state }: StoredRequest): Refusal | undefined {
  if (state === 'OPEN') return undefined
  return changeErrors.ALREADY_DECIDED.refusal('This wish has been answered already.', { state })
}
