import type { Route } from '../http/route.ts'
import { approveChangeOf } from './approve-change.ts'
import { listChangesOf } from './list-changes.ts'
import { readChangeOf } from './read-change.ts'
import { rejectChangeOf } from './reject-change.ts'
import type { ChangeResource } from './resource.ts'
import { withdrawChangeOf } from './withdraw-change.ts'

export { changeActionsOf } from './actions.ts'
export {
  CHANGE_KINDS,
  Change,
  type ChangeKind,
  type Decision,
  DecisionView,
  DiffRowView,
  PreparationView,
  Reason,
} from './change.ts'
export { changeFact } from './change-fact.ts'
export { changeErrors } from './errors.ts'
export { nobodyToDecide } from './nobody-to-decide.ts'
export { type Proposal, proposeChange, requireNoOpenChange } from './propose.ts'
export type { Carrier, ChangedItem, ChangeResource } from './resource.ts'
export { seenCallersOf } from './seen-callers.ts'
export { decidersSeen, othersAmong, type SeenDecider } from './seen-store.ts'
export { changesByIds, openChangeOf } from './store.ts'
export type { StoredChange } from './stored-change.ts'
export { changeView } from './view.ts'

/** The same five operations for every resource whose changes another person decides. */
export function changeRoutesOf(resource: ChangeResource): readonly Route[] {
  return [
    listChangesOf(resource),
    readChangeOf(resource),
    approveChangeOf(resource),
    rejectChangeOf(resource),
    withdrawChangeOf(resource),
  ]
}
