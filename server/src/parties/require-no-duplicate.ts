import type { Caller } from '../access/caller.ts'
import { isPermitted } from '../access/permissions.ts'
import type { Tx } from '../storage/tx.ts'
import { likelyDuplicates } from './duplicate-store.ts'
import { partyErrors } from './errors.ts'
import type { NewParty } from './party.ts'

const READING = ['party:read', 'party:approve'] as const

/** Named only where the caller may read them; rows that it may not see do not exist for it. */
export async function requireNoDuplicate(tx: Tx, given: NewParty, caller: Caller): Promise<void> {
  const candidates = await likelyDuplicates(tx, given)
  if (candidates.length === 0) return
  if (!isPermitted(caller.permissions, READING)) {
    throw partyErrors.DUPLICATE_PARTY(
      'This looks like a party that exists. Ask someone who reads parties, or send "allowDuplicate": true if it is another one.',
    )
  }
  throw partyErrors.DUPLICATE_PARTY(
    `This looks like ${candidates.map(({ id }) => id).join(', ')}. Use that party, or send "allowDuplicate": true if it is another one.`,
    { candidates },
  )
}
