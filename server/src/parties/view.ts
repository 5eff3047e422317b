import type { Caller } from '../access/caller.ts'
import { actionsOf } from '../http/action.ts'
import { partyActionList } from './actions.ts'
import { maskedAccount } from './bank-account.ts'
import type { Party, StoredParty } from './party.ts'

/** A party as staff see it; its bank account is masked for everybody. */
export function partyView(stored: StoredParty, caller: Caller): Party {
  const { preparers: _, createdByPartner: __, bankAccount, ...party } = stored
  return {
    ...party,
    ...(bankAccount && { bankAccount: maskedAccount(bankAccount) }),
    actions: actionsOf(partyActionList, stored, caller),
  }
}
