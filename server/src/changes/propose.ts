import type { Caller } from '../access/caller.ts'
import { canonicalJson } from '../base/canonical-json.ts'
import { diffOf } from '../base/diff.ts'
import { sha256Hex } from '../base/digest.ts'
import type { Tx } from '../storage/tx.ts'
import type { ChangeKind } from './change.ts'
import { changeErrors } from './errors.ts'
import { insertChange, type NewChange, openChangeOf } from './store.ts'
import type { ItemKind, StoredChange } from './stored-change.ts'

export interface Proposal {
  readonly kind: ChangeKind
  readonly itemKind: ItemKind
  /** Locked by whoever proposes. */
  readonly item: { readonly id: string; readonly version: number }
  readonly partyId: string | null
  readonly partnerId: string | null
  readonly reason: string
  /** What the decider compares: the item's part before and after, in the words of the API. */
  readonly before: unknown
  readonly after: unknown
  /** What carrying it out needs. */
  readonly proposal: Readonly<Record<string, unknown>>
  readonly caller: Caller
  readonly wishedBy?: NewChange['wishedBy']
}

/** One person asks for it; the old value stays in force until another one has approved it. */
export async function proposeChange(tx: Tx, asked: Proposal): Promise<StoredChange> {
  await requireNoOpenChange(tx, asked.itemKind, asked.item.id)
  const { kind, itemKind, item, reason, proposal } = asked
  return await insertChange(tx, {
    kind,
    itemKind,
    itemId: item.id,
    baseVersion: item.version,
    reason,
    proposal,
    diff: diffOf(asked.before, asked.after),
    contentHash: sha256Hex(
      canonicalJson({ kind, itemId: item.id, baseVersion: item.version, proposal }),
    ),
    partyId: asked.partyId,
    partnerId: asked.partnerId,
    caller: asked.caller,
    ...(asked.wishedBy && { wishedBy: asked.wishedBy }),
  })
}

export async function requireNoOpenChange(
  tx: Tx,
  itemKind: ItemKind,
  itemId: string,
): Promise<void> {
  const open = await openChangeOf(tx, itemKind, itemId)
  if (open === undefined) return
  throw changeErrors.CHANGE_ALREADY_PENDING(
    `${open.createdBy.username} proposed a change on ${open.createdAt.slice(0, 10)} that still waits. Decide or withdraw it first.`,
    { changeId: open.id, preparedBy: open.createdBy, preparedAt: open.createdAt },
  )
}
