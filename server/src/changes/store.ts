import { type Caller, personRefOf } from '../access/caller.ts'
import { type Preparation, personKeysOf } from '../access/four-eyes.ts'
import { fail } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { httpErrors } from '../http/errors.ts'
import type { PageRequest } from '../http/paging.ts'
import { instantNow } from '../storage/instant-now.ts'
import { nothing, sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'
import type { Decision } from './change.ts'
import type { ItemKind, StoredChange } from './stored-change.ts'

export const changeColumns = sql`
  id, kind, item_kind as "itemKind", item_id as "itemId", state, version,
  base_version as "baseVersion", reason, proposal, diff, content_hash as "contentHash",
  preparers, prepared_by as "preparedBy", decisions, withdrawal_reason as "withdrawalReason",
  (select item.version from item_of_change(item_kind, item_id) item) as "itemVersion",
  created_by as "createdBy", created_at as "createdAt",
  updated_by as "updatedBy", updated_at as "updatedAt"`

export interface NewChange
  extends Pick<
    StoredChange,
    'kind' | 'itemKind' | 'itemId' | 'baseVersion' | 'reason' | 'proposal' | 'diff' | 'contentHash'
  > {
  readonly partyId: string | null
  readonly partnerId: string | null
  readonly caller: Caller
  /** Someone else whose wish this is: counts as a preparer too. */
  readonly wishedBy?: { readonly keys: readonly string[]; readonly preparation: Preparation }
}

export async function insertChange(tx: Tx, change: NewChange): Promise<StoredChange> {
  const by = personRefOf(change.caller)
  const keys = [...new Set([...personKeysOf(change.caller), ...(change.wishedBy?.keys ?? [])])]
  const wished = change.wishedBy ? [change.wishedBy.preparation] : []
  return await tx.one<StoredChange>(sql`
    insert into change (id, kind, item_kind, item_id, base_version, reason, proposal, diff,
                        content_hash, party_id, partner_id, preparers, prepared_by,
                        created_by, updated_by)
    values (${newId('chg')}, ${change.kind}, ${change.itemKind}, ${change.itemId},
            ${change.baseVersion}, ${change.reason}, ${change.proposal}::jsonb,
            ${change.diff}::jsonb, ${change.contentHash}, ${change.partyId}, ${change.partnerId},
            ${keys}::text[],
            ${wished}::jsonb || jsonb_build_array(${by}::jsonb || jsonb_build_object('at', ${instantNow})),
            ${by}::jsonb, ${by}::jsonb)
    returning ${changeColumns}`)
}

export function changesByIds(read: Read, ids: readonly string[]): Promise<StoredChange[]> {
  if (ids.length === 0) return Promise.resolve([])
  return read.rows<StoredChange>(sql`
    select ${changeColumns} from change where id = any (${ids}::text[])`)
}

export function openChangeOf(
  read: Read,
  itemKind: ItemKind,
  itemId: string,
): Promise<StoredChange | undefined> {
  return read.maybeOne<StoredChange>(sql`
    select ${changeColumns} from change
     where item_kind = ${itemKind} and item_id = ${itemId} and state = 'PENDING'`)
}

export async function changeOfItem(
  read: Read,
  itemKind: ItemKind,
  itemId: string,
  changeId: string,
): Promise<StoredChange> {
  const found = await read.maybeOne<StoredChange>(sql`
    select ${changeColumns} from change
     where id = ${changeId} and item_kind = ${itemKind} and item_id = ${itemId}`)
  return found ?? fail(httpErrors.NOT_FOUND('There is no such change.'))
}

/** The item is locked before its change, always in this order, so that two never wait for each other. */
export async function changeForUpdate(
  tx: Tx,
  itemKind: ItemKind,
  itemId: string,
  changeId: string,
): Promise<StoredChange> {
  const found = await tx.maybeOne<StoredChange>(sql`
    select ${changeColumns} from change
     where id = ${changeId} and item_kind = ${itemKind} and item_id = ${itemId}
       for update`)
  return found ?? fail(httpErrors.NOT_FOUND('There is no such change.'))
}

export function changesOfItem(
  read: Read,
  itemKind: ItemKind,
  itemId: string,
  page: PageRequest,
): Promise<StoredChange[]> {
  const behind = page.after
    ? sql`and (created_at, id) < (${page.after[0]}::timestamptz, ${page.after[1]}::text)`
    : nothing
  return read.rows<StoredChange>(sql`
    select ${changeColumns} from change
     where item_kind = ${itemKind} and item_id = ${itemId} ${behind}
     order by created_at desc, id desc
     limit ${page.limit + 1}`)
}

export interface ChangeDecision {
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly caller: Caller
  readonly versionStated: boolean
  readonly comment: string | undefined
}

export async function decideChange(
  tx: Tx,
  change: StoredChange,
  { decision, caller, versionStated, comment }: ChangeDecision,
): Promise<StoredChange> {
  const by = personRefOf(caller)
  const taken: Omit<Decision, 'at'> = {
    decision,
    by,
    version: change.version,
    versionStated,
    contentHash: change.contentHash,
    ...(comment !== undefined && { comment }),
  }
  return await tx.one<StoredChange>(sql`
    update change
       set state = ${decision}, version = version + 1, decider = ${personKeysOf(caller)}::text[],
           decisions = decisions || jsonb_build_array(
             ${taken}::jsonb || jsonb_build_object('at', ${instantNow})),
           updated_by = ${by}::jsonb, updated_at = clock_timestamp()
     where id = ${change.id}
    returning ${changeColumns}`)
}

export async function withdrawChange(
  tx: Tx,
  change: StoredChange,
  caller: Caller,
  reason: string,
): Promise<StoredChange> {
  return await tx.one<StoredChange>(sql`
    update change
       set state = 'WITHDRAWN', version = version + 1, withdrawal_reason = ${reason},
           updated_by = ${personRefOf(caller)}::jsonb, updated_at = clock_timestamp()
     where id = ${change.id}
    returning ${changeColumns}`)
}
