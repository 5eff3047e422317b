import type { Caller } from '../access/caller.ts'
import { isPreparer } from '../access/four-eyes.ts'
import { isPermitted } from '../access/permissions.ts'
import { maskedIban } from '../base/iban.ts'
import { actionsOf } from '../http/action.ts'
import { changeActionsOf } from './actions.ts'
import type { Change } from './change.ts'
import type { ChangeResource } from './resource.ts'
import type { StoredChange } from './stored-change.ts'

const IBAN_POINTER = /\/iban$/

export function changeView(change: StoredChange, resource: ChangeResource, caller: Caller): Change {
  return {
    id: change.id,
    kind: change.kind,
    itemId: change.itemId,
    state: change.state,
    baseVersion: change.baseVersion,
    version: change.version,
    reason: change.reason,
    diff: diffView(change, resource, caller),
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
    actions: actionsOf(Object.values(changeActionsOf(resource)), change, caller),
  }
}

/** Bank data are whole for the one who decides about them, masked for everybody else. */
export function seesBankData(
  change: StoredChange,
  resource: ChangeResource,
  caller: Caller,
): boolean {
  return (
    change.state === 'PENDING' &&
    isPermitted(caller.permissions, resource.approvePermission) &&
    caller.human &&
    !isPreparer(change, caller)
  )
}

function diffView(change: StoredChange, resource: ChangeResource, caller: Caller): Change['diff'] {
  if (seesBankData(change, resource, caller)) return [...change.diff]
  return change.diff.map((row) =>
    IBAN_POINTER.test(row.pointer)
      ? { ...row, before: masked(row.before), after: masked(row.after) }
      : row,
  )
}

function masked(value: unknown): unknown {
  return typeof value === 'string' ? maskedIban(value) : value
}
