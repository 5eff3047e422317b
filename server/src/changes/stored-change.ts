import type { PersonRef } from '../access/caller.ts'
import type { Prepared } from '../access/four-eyes.ts'
import type { DiffRow } from '../base/diff.ts'
import type { Change, ChangeKind, Decision } from './change.ts'

export type ItemKind = 'contract' | 'party' | 'partner'

/** A change as it lies in the table. */
export interface StoredChange extends Prepared {
  readonly id: string
  readonly kind: ChangeKind
  readonly itemKind: ItemKind
  readonly itemId: string
  readonly state: Change['state']
  readonly version: number
  readonly baseVersion: number
  readonly reason: string
  /** What to do when it is approved; each kind knows its own shape. */
  readonly proposal: Readonly<Record<string, unknown>>
  readonly diff: readonly DiffRow[]
  readonly contentHash: string
  readonly decisions: readonly Decision[]
  /** Why it was taken back, where it was. */
  readonly withdrawalReason: string | null
  /** The version that the item has now. */
  readonly itemVersion: number | null
  readonly createdBy: PersonRef
  readonly createdAt: string
  readonly updatedBy: PersonRef
  readonly updatedAt: string
}
