import type { Tx } from '../storage/tx.ts'
import { likelyDuplicates } from './duplicate-store.ts'
import { partyErrors } from './errors.ts'
import type { NewParty } from './party.ts'

/** Told only of parties that the caller may see; the others do not exist for it. */
export async function requireNoDuplicate(tx: Tx, given: NewParty): Promise<void> {
  const candidates = await likelyDuplicates(tx, given)
  if (candidates.length === 0) return
  throw partyErrors.DUPLICATE_PARTY(
    `This looks like ${candidates.map(({ id }) => id).join(', ')}. Use that party, or send "allowDuplicate": true if it is another one.`,
    { candidates },
  )
}
