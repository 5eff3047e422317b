import { Type } from 'typebox'
import type { Tx } from '../storage/tx.ts'
import type { ChangeResource } from './resource.ts'
import { changeForUpdate } from './store.ts'
import type { StoredChange } from './stored-change.ts'

export function ChangeParams(itemParam: string) {
  return Type.Object({ [itemParam]: Type.String(), change_id: Type.String() })
}

/** Locks the item, then its change. */
export async function changeInHand(
  tx: Tx,
  resource: ChangeResource,
  params: Readonly<Record<string, unknown>>,
): Promise<StoredChange> {
  const item = await resource.lockItem(tx, params[resource.itemParam] as string)
  return await changeForUpdate(tx, resource.itemKind, item.id, params['change_id'] as string)
}
