import type { Db } from '../../storage/tx.ts'
import type { Account } from './account.ts'
import { allAccounts } from './store.ts'

export function listAccounts(db: Db): Promise<Account[]> {
  return db.read({ rows: 'NONE' }, allAccounts)
}
