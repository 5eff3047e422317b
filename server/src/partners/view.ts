import type { Caller } from '../access/caller.ts'
import { actionsOf } from '../http/action.ts'
import { maskedAccount } from '../parties/index.ts'
import { partnerActionList } from './actions.ts'
import type { Partner, StoredPartner } from './partner.ts'

/** A partner as staff see it; its bank account is masked for everybody. */
export function partnerView(stored: StoredPartner, caller: Caller): Partner {
  const { bankAccount, ...partner } = stored
  return {
    ...partner,
    ...(bankAccount !== null && { bankAccount: maskedAccount(bankAccount) }),
    actions: actionsOf(partnerActionList, stored, caller),
  }
}
