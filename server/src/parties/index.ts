import { changeRoutesOf } from '../changes/index.ts'
import type { Route } from '../http/route.ts'
import { blockParty } from './block-party.ts'
import { createParty } from './create-party.ts'
import { editParty } from './edit-party.ts'
import { eraseParty } from './erase-party.ts'
import { listParties } from './list-parties.ts'
import { partyChanges } from './party-changes.ts'
import { readParty } from './read-party.ts'
import { unblockParty } from './unblock-party.ts'

export { BankAccount, maskedAccount, readBankAccount } from './bank-account.ts'
export { partyErrors } from './errors.ts'
export { makeParty } from './make-party.ts'
export { Address, NewParty, PartyCreation } from './party.ts'
export { partyChanges } from './party-changes.ts'
export { partyPermissions } from './permissions.ts'
export { proposeWish } from './propose-wish.ts'
export { insertParty, partyForContract, partyNamed } from './store.ts'

export const partyRoutes: readonly Route[] = [
  createParty,
  listParties,
  readParty,
  editParty,
  blockParty,
  unblockParty,
  eraseParty,
  ...changeRoutesOf(partyChanges),
]
