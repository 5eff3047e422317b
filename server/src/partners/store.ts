import { newId } from '../base/ids.ts'
import { sql } from '../storage/sql.ts'
import type { Read, Tx } from '../storage/tx.ts'

export interface NewPartner {
  readonly id?: string
  readonly code: string
  readonly name: string
  readonly kind: 'DEALER' | 'BROKER' | 'VENDOR'
}

export async function insertPartner(tx: Tx, given: NewPartner): Promise<string> {
  const id = given.id ?? newId('ptn')
  await tx.run(sql`
    insert into partner (id, code, name, kind)
    values (${id}, ${given.code}, ${given.name}, ${given.kind})`)
  return id
}

/** What a contract needs to know of its partner; undefined when the caller may not see it. */
export function partnerForContract(
  read: Read,
  id: string,
): Promise<{ id: string; name: string; state: string } | undefined> {
  return read.maybeOne(sql`select id, name, state from partner where id = ${id}`)
}
