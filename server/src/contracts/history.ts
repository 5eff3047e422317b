import { type Static, Type } from 'typebox'
import { Instant, Nullable, OneOf, PersonReference } from '../base/schema.ts'
import type { StoredContract } from './stored-contract.ts'

export const HISTORY_EVENTS = [
  'CREATED',
  'EDITED',
  'SUBMITTED',
  'APPROVED',
  'REJECTED',
  'RETURNED',
  'WITHDRAWN',
  'REOPENED',
  'ACTIVATED',
  'AMENDED',
  'SETTLED',
  'TERMINATED',
  'CHANGE_PROPOSED',
  'CHANGE_REJECTED',
  'CHANGE_WITHDRAWN',
  'REFUSED',
] as const
export type HistoryEvent = (typeof HISTORY_EVENTS)[number]

/** One line of a contract's story, in the words of the people who made it. */
export const HistoryEntry = Type.Object({
  event: OneOf(HISTORY_EVENTS),
  at: Instant,
  by: PersonReference,
  version: Nullable(Type.Integer()),
  reason: Nullable(Type.String()),
  changeId: Nullable(Type.String()),
})
export type HistoryEntry = Static<typeof HistoryEntry>

/** What a version is the trace of: the move from the one before it. */
export function eventOfVersion(
  before: StoredContract | undefined,
  after: StoredContract,
): HistoryEvent {
  if (before === undefined) return after.state === 'DRAFT' ? 'CREATED' : 'SUBMITTED'
  if (before.state === after.state) return after.state === 'DRAFT' ? 'EDITED' : 'AMENDED'
  switch (after.state) {
    case 'PENDING_APPROVAL':
      return 'SUBMITTED'
    case 'ACTIVE':
      return 'ACTIVATED'
    case 'DRAFT':
      return before.state === 'APPROVED' ? 'REOPENED' : 'RETURNED'
    default:
      return after.state
  }
}

export function storyOf(versions: readonly StoredContract[]): HistoryEntry[] {
  return versions.map((version, index) => ({
    event: eventOfVersion(versions[index - 1], version),
    at: version.updatedAt,
    by: version.updatedBy,
    version: version.version,
    reason: version.moveReason,
    changeId: version.changeId !== versions[index - 1]?.changeId ? version.changeId : null,
  }))
}
