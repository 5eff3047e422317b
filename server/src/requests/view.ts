import type { Caller } from '../access/caller.ts'
import { actionsOf } from '../http/action.ts'
import { maskedAccount } from '../parties/index.ts'
import { requestActionList } from './actions.ts'
import type { MyRequest } from './request.ts'
import type { StaffRequest } from './staff-request.ts'
import type { StoredRequest } from './stored-request.ts'

export function myRequestView(stored: StoredRequest): MyRequest {
  const { address, bankAccount, comment } = stored.wish
  const state = stateOf(stored)
  const reason = state === 'REFUSED' ? (stored.reason ?? stored.changeComment) : null
  return {
    id: stored.id,
    kind: stored.kind,
    state,
    ...(address && { address }),
    ...(bankAccount && { bankAccount: maskedAccount(bankAccount) }),
    ...(comment !== undefined && { comment }),
    ...(reason !== null && { reason }),
    version: stored.version,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
  }
}

/** A wish that was taken up is done only when another person has approved it. */
function stateOf({ state, changeState }: StoredRequest): MyRequest['state'] {
  if (state === 'OPEN') return 'OPEN'
  if (state === 'DECLINED') return 'REFUSED'
  if (changeState === 'APPROVED') return 'DONE'
  return changeState === 'PENDING' ? 'IN_REVIEW' : 'REFUSED'
}

export function staffRequestView(stored: StoredRequest, caller: Caller): StaffRequest {
  return {
    ...myRequestView(stored),
    party: { id: stored.partyId, displayName: stored.partyName ?? '' },
    requestedBy: stored.requestedBy,
    ...(stored.changeId !== null && { changeId: stored.changeId }),
    actions: actionsOf(requestActionList, stored, caller),
  }
}
