import { httpErrors } from '../http/errors.ts'
import type { Tx } from '../storage/tx.ts'
import { liveContractsOf } from './live-contract-store.ts'

/** Who still has a contract with us is still someone to us. */
export async function requireErasable(tx: Tx, partyId: string): Promise<void> {
  const numbers = await liveContractsOf(tx, partyId)
  if (numbers.length === 0) return
  const detail = `The party has live contracts (${numbers.join(', ')}). End or withdraw them first.`
  throw httpErrors.RULE_VIOLATED(detail, {
    errors: [{ pointer: '', code: 'PARTY_HAS_LIVE_CONTRACTS', detail }],
  })
}
