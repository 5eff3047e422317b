import type { Caller } from '../access/caller.ts'
import { type Proposal, proposeChange, type StoredChange } from '../changes/index.ts'
import { httpErrors } from '../http/errors.ts'
import type { Tx } from '../storage/tx.ts'
import type { BankAccount } from './bank-account.ts'
import { comparedOf, dataOf } from './edited-party.ts'
import type { NewParty } from './party.ts'
import { partyForUpdate } from './store.ts'

export interface Wish {
  readonly partyId: string
  readonly wish: { readonly address?: NewParty['address']; readonly bankAccount?: BankAccount }
  readonly caller: Caller
  readonly wishedBy: NonNullable<Proposal['wishedBy']>
}

/** A customer's wish in the hands of staff: a change like any other, prepared by both. */
export async function proposeWish(
  tx: Tx,
  { partyId, wish, caller, wishedBy }: Wish,
): Promise<StoredChange> {
  const party = await partyForUpdate(tx, partyId)
  if (party.state === 'ERASED') {
    throw httpErrors.INVALID_STATE('The party is erased; decline the wish.', { state: party.state })
  }
  const given = { ...dataOf(party), ...(wish.address && { address: wish.address }) }
  const bankAccount = wish.bankAccount ?? party.bankAccount ?? null
  return await proposeChange(tx, {
    kind: 'PARTY',
    itemKind: 'party',
    item: party,
    partyId: party.id,
    partnerId: party.createdByPartner,
    reason: 'The customer asked for it.',
    before: comparedOf(party),
    after: { ...given, bankAccount: bankAccount ?? undefined },
    proposal: { party: given, bankAccount },
    caller,
    wishedBy,
  })
}
