import { sql } from '../../storage/sql.ts'
import type { Read, Tx } from '../../storage/tx.ts'
import type { Account, PartnerClient } from './account.ts'

export type AccountAction =
  | 'ACCOUNT_ADDED'
  | 'ACCOUNT_CHANGED'
  | 'PERMISSIONS_GRANTED'
  | 'PERMISSIONS_REVOKED'
  | 'ACCOUNT_DISABLED'
  | 'ACCOUNT_ENABLED'
  | 'PASSWORD_SET'
  | 'CLIENT_ADDED'
  | 'CLIENT_SECRET_SET'
  | 'CLIENT_DISABLED'
  | 'CLIENT_ENABLED'

export interface AccountAuditEntry {
  readonly at: string
  readonly actor: string
  readonly action: AccountAction
  readonly targetName: string
  readonly before: unknown
  readonly after: unknown
}

interface Change {
  readonly actor: string
  readonly action: AccountAction
  readonly before: Account | PartnerClient | null
  readonly after: Account | PartnerClient
}

/** In the transaction of the change: no change without its entry, no entry without its change. */
export async function recordChange(tx: Tx, { actor, action, before, after }: Change) {
  const kind = 'username' in after ? 'ACCOUNT' : 'CLIENT'
  const name = 'username' in after ? after.username : after.id
  await tx.run(sql`
    insert into account_audit (actor, action, target_kind, target_id, target_name, before, after)
    values (${actor}, ${action}, ${kind}, ${after.id}, ${name}, ${before}::jsonb, ${after}::jsonb)`)
}

export function auditOf(read: Read, targetName: string): Promise<AccountAuditEntry[]> {
  return read.rows<AccountAuditEntry>(sql`
    select at, actor, action, target_name as "targetName", before, after
      from account_audit
     where target_name = ${targetName}
     order by id`)
}
