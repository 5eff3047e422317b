import type { PersonRef } from '../access/caller.ts'
import { sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'

export interface ChangeTrace {
  readonly id: string
  readonly state: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN'
  readonly reason: string
  readonly createdBy: PersonRef
  readonly createdAt: string
  readonly updatedBy: PersonRef
  readonly updatedAt: string
  readonly refusal: string | null
}

export function changeTraces(read: Read, contractId: string): Promise<ChangeTrace[]> {
  return read.rows<ChangeTrace>(sql`
    select id, state, reason, created_by as "createdBy", created_at as "createdAt",
           updated_by as "updatedBy", updated_at as "updatedAt",
           coalesce(withdrawal_reason, decisions -> -1 ->> 'comment') as refusal
      from change
     where item_kind = 'contract' and item_id = ${contractId}
     order by created_at, id`)
}

export interface RefusedAttempt {
  readonly at: string
  readonly subject: string
  readonly username: string
}

/**
 * Who tried to decide what they had prepared, as they called the contract. Only unscoped work reads the
 * audit trail.
 */
export function refusedAttempts(
  read: Read,
  { id, number }: { readonly id: string; readonly number: string },
): Promise<RefusedAttempt[]> {
  return read.rows<RefusedAttempt>(sql`
    select at, subject, username
      from audit_entry
     where item_kind = 'contract' and item_id in (${id}, ${number})
       and outcome = 'REFUSED' and code = 'FOUR_EYES_SAME_USER'
     order by at
     limit 200`)
}
