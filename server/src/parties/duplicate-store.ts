import { folded } from '../base/folded.ts'
import { sql } from '../storage/sql.ts'
import type { Read } from '../storage/tx.ts'
import { displayNameOf, type NewParty } from './party.ts'

const MOST_CANDIDATES = 5

export interface Candidate {
  readonly id: string
  readonly displayName: string
}

/**
 * Parties that are likely the same: an unmistakable mark in common (VAT id, external reference), or
 * the name together with birth date, e-mail, phone or postal code. Only what the caller may see.
 */
export function likelyDuplicates(read: Read, given: NewParty): Promise<Candidate[]> {
  const name = folded(displayNameOf(given))
  return read.rows<Candidate>(sql`
    select id, display_name as "displayName"
      from party
     where state <> 'ERASED'
       and ((organisation ->> 'vatId' = ${given.organisation?.vatId ?? null})
         or (external_ref = ${given.externalRef ?? null})
         or (name_folded = ${name}
             and (person ->> 'birthDate' = ${given.person?.birthDate ?? null}
               or lower(email) = lower(${given.email ?? null})
               or phone = ${given.phone ?? null}
               or address ->> 'postalCode' = ${given.address?.postalCode ?? null})))
     order by created_at, id
     limit ${MOST_CANDIDATES}`)
}
