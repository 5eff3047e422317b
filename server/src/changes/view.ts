import type { Caller } from '../access/caller.ts'
import { maskedIban } from '../base/iban.ts'
import { actionsOf } from '../http/action.ts'
import { changeActionsOf } from './actions.ts'
import type { Change } from './change.ts'
import type { ChangeResource } from './resource.ts'
import type { StoredChange } from './stored-change.ts'

const IBAN_POINTER = /\/iban$/

export type BankData = 'MASKED' | 'WHOLE_FOR_THE_DECIDER'

/** Bank data are whole only where the one who can decide about them reads this one change. */
export function changeView(
  change: StoredChange,
  resource: ChangeResource,
  caller: Caller,
  bankData: BankData = 'MASKED',
): Change {
  const actions = actionsOf(Object.values(changeActionsOf(resource)), change, caller)
  const isDecider = actions.some(({ name, allowed }) => name === 'reject' && allowed)
  return {
    id: change.id,
    kind: change.kind,
    itemId: change.itemId,
    state: change.state,
    baseVersion: change.baseVersion,
    version: change.version,
    reason: change.reason,
    ...(change.withdrawalReason !== null && { withdrawalReason: change.withdrawalReason }),
    diff: isDecider && bankData === 'WHOLE_FOR_THE_DECIDER' ? [...change.diff] : maskedDiff(change),
    approval: {
      status: change.state,
      preparedBy: [...change.preparedBy],
      submittedBy: change.createdBy,
      submittedAt: change.createdAt,
      contentHash: change.contentHash,
      decisions: [...change.decisions],
    },
    createdBy: change.createdBy,
    createdAt: change.createdAt,
    updatedBy: change.updatedBy,
    updatedAt: change.updatedAt,
    actions,
  }
}

function maskedDiff({ diff }: StoredChange): Change['diff'] {
  return diff.map((row) =>
    IBAN_POINTER.test(row.pointer)
      ? { ...row, before: masked(row.before), after: masked(row.after) }
      : row,
  )
}

function masked(value: unknown): unknown {
  return typeof value === 'string' ? maskedIban(value) : value
}
