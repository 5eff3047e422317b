import { sql } from './sql.ts'
import type { Db } from './tx.ts'

/** Throws while the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await db.read({ rows: 'NONE' }, (read) => read.one(sql`select 1 as one`))
}
