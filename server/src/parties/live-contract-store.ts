import { sql } from '../storage/sql.ts'
import type { Tx } from '../storage/tx.ts'

/** Numbers of contracts that have not come to their end; a few are enough to say why. */
export async function liveContractsOf(tx: Tx, partyId: string): Promise<string[]> {
  const rows = await tx.rows<{ number: string }>(sql`
    select number from contract
     where party_id = ${partyId}
       and state not in ('REJECTED', 'WITHDRAWN', 'SETTLED', 'TERMINATED')
     order by number
     limit 5`)
  return rows.map(({ number }) => number)
}
