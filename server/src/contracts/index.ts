import { changeRoutesOf } from '../changes/index.ts'
import type { Route } from '../http/route.ts'
import { activateContract } from './activate-contract.ts'
import { addNote } from './add-note.ts'
import { amendContract } from './amend-contract.ts'
import { approveContract } from './approve-contract.ts'
import { contractChanges } from './contract-changes.ts'
import { createContract } from './create-contract.ts'
import { editContract } from './edit-contract.ts'
import { listContracts } from './list-contracts.ts'
import { listMyContracts } from './list-my-contracts.ts'
import { listNotes } from './list-notes.ts'
import { listVersions } from './list-versions.ts'
import { readContract } from './read-contract.ts'
import { readHistory } from './read-history.ts'
import { readMyContract } from './read-my-contract.ts'
import { readSchedule } from './read-schedule.ts'
import { readSettlementQuote } from './read-settlement-quote.ts'
import { rejectContract } from './reject-contract.ts'
import { reopenContract } from './reopen-contract.ts'
import { returnContract } from './return-contract.ts'
import { settleContract } from './settle-contract.ts'
import { submitContract } from './submit-contract.ts'
import { terminateContract } from './terminate-contract.ts'
import { withdrawContract } from './withdraw-contract.ts'

export { contractActionList } from './actions.ts'
export type { ContractContent } from './contract.ts'
export { contractChanges } from './contract-changes.ts'
export { contractsOf } from './list-store.ts'
export { decide } from './move-store.ts'
export { contractPermissions } from './permissions.ts'
export { prepareContent } from './prepare-content.ts'
export { contractsByIds, insertContract } from './store.ts'
export type { StoredContract } from './stored-contract.ts'

export const contractRoutes: readonly Route[] = [
  createContract,
  listContracts,
  readContract,
  editContract,
  submitContract,
  approveContract,
  rejectContract,
  returnContract,
  withdrawContract,
  reopenContract,
  activateContract,
  settleContract,
  terminateContract,
  amendContract,
  ...changeRoutesOf(contractChanges),
  readSchedule,
  readHistory,
  listVersions,
  readSettlementQuote,
  listNotes,
  addNote,
  listMyContracts,
  readMyContract,
]
