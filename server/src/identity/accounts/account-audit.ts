import type { Db } from '../../storage/tx.ts'
import { type AccountAuditEntry, auditOf } from './audit-store.ts'

export type { AccountAuditEntry } from './audit-store.ts'

/** What was ever changed about a user or a partner's system, oldest first. */
export function accountAudit(db: Db, name: string): Promise<AccountAuditEntry[]> {
  return db.read({ rows: 'NONE' }, (read) => auditOf(read, name))
}
