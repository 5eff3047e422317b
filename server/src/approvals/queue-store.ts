import { type Caller, personRefOf } from '../access/caller.ts'
import { personKeysOf } from '../access/four-eyes.ts'
import type { PageRequest } from '../http/paging.ts'
import { nothing, type Statement, sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import type { QueueView } from './queue-item.ts'

/** A place in the queue; the item itself is read by its own slice. */
export interface QueuePlace {
  readonly kind: 'CONTRACT' | 'CHANGE'
  readonly id: string
  readonly since: string
}

/** Which items a view shows, as conditions on contracts and on changes. */
interface ViewConditions {
  readonly contracts: Statement
  readonly changes: Statement
  /** What "since" means here. */
  readonly contractSince: Statement
  readonly changeSince: Statement
  readonly newestFirst: boolean
}

function conditionsOf(view: QueueView, caller: Caller): ViewConditions {
  const keys = personKeysOf(caller)
  const { id } = personRefOf(caller)
  switch (view) {
    case 'decide':
      return {
        contracts: caller.permissions.has('contract:approve')
          ? sql`state = 'PENDING_APPROVAL'`
          : sql`false`,
        changes: sql`state = 'PENDING' and item_kind = any (${decidableKinds(caller)}::text[])`,
        contractSince: sql`submitted_at`,
        changeSince: sql`created_at`,
        newestFirst: false,
      }
    case 'mine':
      return {
        contracts: sql`state = 'PENDING_APPROVAL' and preparers && ${keys}::text[]`,
        changes: sql`state = 'PENDING' and preparers && ${keys}::text[]`,
        contractSince: sql`submitted_at`,
        changeSince: sql`created_at`,
        newestFirst: false,
      }
    case 'returned':
      return {
        contracts: sql`state = 'DRAFT' and preparers && ${keys}::text[]
                       and decisions -> -1 ->> 'decision' = 'RETURNED'`,
        changes: sql`false`,
        contractSince: sql`updated_at`,
        changeSince: sql`updated_at`,
        newestFirst: false,
      }
    case 'decided':
      return {
        contracts: sql`decisions @> ${[{ by: { id } }]}::jsonb`,
        changes: sql`decisions @> ${[{ by: { id } }]}::jsonb`,
        contractSince: sql`updated_at`,
        changeSince: sql`updated_at`,
        newestFirst: true,
      }
  }
}

function decidableKinds({ permissions }: Caller): string[] {
  return ['contract', 'party', 'partner'].filter((kind) => permissions.has(`${kind}:approve`))
}

/** Oldest first, so that nothing is forgotten; what is decided, newest first. */
export function queuePage(
  read: Read,
  view: QueueView,
  caller: Caller,
  page: PageRequest,
): Promise<QueuePlace[]> {
  const { contracts, changes, contractSince, changeSince, newestFirst } = conditionsOf(view, caller)
  const [value, id] = page.after ?? []
  const compare = newestFirst ? sql`<` : sql`>`
  const behind = (since: Statement): Statement =>
    page.after ? sql`and (${since}, id) ${compare} (${value}::timestamptz, ${id}::text)` : nothing
  const direction = newestFirst ? sql`desc` : sql`asc`
  const limit = page.limit + 1
  return read.rows<QueuePlace>(sql`
    select kind, id, since from (
      (select 'CONTRACT' as kind, id, ${contractSince} as since from contract
        where ${contracts} ${behind(contractSince)}
        order by ${contractSince} ${direction}, id ${direction} limit ${limit})
      union all
      (select 'CHANGE' as kind, id, ${changeSince} as since from change
        where ${changes} ${behind(changeSince)}
        order by ${changeSince} ${direction}, id ${direction} limit ${limit})
    ) waiting
    order by since ${direction}, id ${direction}
    limit ${limit}`)
}
