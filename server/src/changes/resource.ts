import type { Caller } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import type { Calendar } from '../base/calendar.ts'
import type { ChangeFact } from '../http/route.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { ChangeKind } from './change.ts'
import type { ItemKind, StoredChange } from './stored-change.ts'

/** What changes need to know of the resource that they belong to. */
export interface ChangeResource {
  readonly itemKind: ItemKind
  readonly path: '/parties' | '/partners' | '/contracts'
  readonly itemParam: 'party_id' | 'partner_id' | 'contract_id'
  /** Part of the operationIds: `approvePartyChange`. */
  readonly name: 'Party' | 'Partner' | 'Contract'
  readonly readPermission: Permission
  readonly approvePermission: Permission
  readonly preparePermission: Permission
  /** Kinds that touch what a caller linked to a party or partner does not see. */
  readonly houseOnly: readonly ChangeKind[]
  /** Brings the item's id and version as the caller may see it, or 404. */
  readonly readItem: (read: Read, id: string) => Promise<ChangedItem>
  /** The same, locked. */
  readonly lockItem: (tx: Tx, id: string) => Promise<ChangedItem>
  /** Does what was approved, in the transaction of the decision; tells what it did to the item. */
  readonly carryOut: (tx: Tx, approved: StoredChange, by: Carrier) => Promise<ChangeFact>
}

export interface ChangedItem {
  readonly id: string
  readonly version: number
}

export interface Carrier {
  readonly caller: Caller
  readonly calendar: Calendar
}
