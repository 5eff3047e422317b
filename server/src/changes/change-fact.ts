import type { ChangeFact } from '../http/route.ts'
import type { StoredChange } from './stored-change.ts'

/** What happened to a change, for the audit trail; what it did to the item is told by the item's own entry. */
export function changeFact(
  name: `change.${string}`,
  change: StoredChange,
  reason: string | undefined,
): ChangeFact {
  const isNew = name === 'change.proposed'
  return {
    name,
    item: { id: change.id, version: change.version },
    ...(!isNew && { before: { state: 'PENDING' } }),
    after: {
      state: change.state,
      ...(isNew && {
        kind: change.kind,
        itemKind: change.itemKind,
        itemId: change.itemId,
        contentHash: change.contentHash,
      }),
      ...(reason !== undefined && { reason }),
    },
  }
}
