import type { Route } from '../http/route.ts'
import { approveContract } from './approve-contract.ts'
import { createContract } from './create-contract.ts'
import { editContract } from './edit-contract.ts'
import { listContracts } from './list-contracts.ts'
import { listMyContracts } from './list-my-contracts.ts'
import { readContract } from './read-contract.ts'
import { readMyContract } from './read-my-contract.ts'
import { rejectContract } from './reject-contract.ts'
import { returnContract } from './return-contract.ts'
import { submitContract } from './submit-contract.ts'
import { withdrawContract } from './withdraw-contract.ts'

export type { ContractContent } from './contract.ts'
export { contractErrors } from './errors.ts'
export { contractsOf } from './list-store.ts'
export { decide } from './move-store.ts'
export { contractPermissions } from './permissions.ts'
export { prepareContent } from './prepare-content.ts'
export { insertContract } from './store.ts'

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
  listMyContracts,
  readMyContract,
]
