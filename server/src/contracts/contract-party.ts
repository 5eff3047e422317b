import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { requireNone } from '../base/errors.ts'
import { permissionRefusal } from '../http/action.ts'
import { httpErrors } from '../http/errors.ts'
import type { ChangeFact } from '../http/route.ts'
import { makeParty, type PartyCreation } from '../parties/index.ts'
import type { Tx } from '../storage/tx.ts'

export interface ContractParty {
  readonly partyId: string
  /** What else was done: the party made on the way. */
  readonly made: readonly ChangeFact[]
}

/** A dealer brings a customer and a deal in one go: the party is named, or made with the contract. */
export async function contractPartyOf(
  tx: Tx,
  partyId: string | undefined,
  party: Static<typeof PartyCreation> | undefined,
  by: { readonly caller: Caller; readonly today: string },
): Promise<ContractParty> {
  if (partyId !== undefined && party === undefined) return { partyId, made: [] }
  if (partyId === undefined && party !== undefined) {
    if (!by.caller.permissions.has('party:create')) requireNone(permissionRefusal('party:create'))
    const made = await makeParty(tx, party, by, '/party')
    return { partyId: made.party.id, made: [made.created, ...made.proposed] }
  }
  const code = partyId === undefined ? 'REQUIRED' : 'NOT_TOGETHER'
  const detail =
    'Send "partyId" of a party that exists, or "party" to create one; exactly one of them.'
  throw httpErrors.VALIDATION_FAILED(detail, { errors: [{ pointer: '/partyId', code, detail }] })
}
