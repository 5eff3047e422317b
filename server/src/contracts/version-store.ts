import { fail } from '../base/errors.ts'
import { httpErrors } from '../http/errors.ts'
import { sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import { contractColumns } from './store.ts'
import type { StoredContract } from './stored-contract.ts'

/** A contract as it stood: the row of that version, read like the present one. */
const pastContract = sql`
  (select (jsonb_populate_record(null::contract, v.snapshot)).* from contract_version v`

export async function contractAtVersion(
  read: Read,
  id: string,
  version: number,
): Promise<StoredContract> {
  const found = await read.maybeOne<StoredContract>(sql`
    select ${contractColumns}
      from ${pastContract} where v.contract_id = ${id} and v.version = ${version}) c
      join party p on p.id = c.party_id
      left join partner n on n.id = c.partner_id`)
  return found ?? fail(httpErrors.NOT_FOUND('The contract has no such version.'))
}

/** Every version, oldest first. A contract has few: each is a decision of a person. */
export function contractVersions(read: Read, id: string): Promise<StoredContract[]> {
  return read.rows<StoredContract>(sql`
    select ${contractColumns}
      from ${pastContract} where v.contract_id = ${id}) c
      join party p on p.id = c.party_id
      left join partner n on n.id = c.partner_id
     order by c.version`)
}
