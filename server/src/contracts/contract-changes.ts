import type { Carrier, ChangeResource, StoredChange } from '../changes/index.ts'
import type { ChangeFact } from '../http/route.ts'
import type { Tx } from '../storage/tx.ts'
import { changeOf } from './change-fact.ts'
import type { ContractContent } from './contract.ts'
import { amend, end } from './move-store.ts'
import { prepareContent } from './prepare-content.ts'
import { contractById, contractForUpdate } from './store.ts'

/** Changes of contracts: amendments, settlements and terminations. */
export const contractChanges: ChangeResource = {
  itemKind: 'contract',
  path: '/contracts',
  itemParam: 'contract_id',
  name: 'Contract',
  readPermission: ['contract:read', 'contract:approve'],
  approvePermission: 'contract:approve',
  preparePermission: ['contract:update', 'contract:settle', 'contract:terminate'],
  houseOnly: [],
  readItem: contractById,
  lockItem: contractForUpdate,
  carryOut,
}

async function carryOut(tx: Tx, approved: StoredChange, { caller }: Carrier): Promise<ChangeFact> {
  const contract = await contractForUpdate(tx, approved.itemId)
  const by = { changeId: approved.id, reason: approved.reason, caller }
  if (approved.kind === 'AMENDMENT') {
    const { content } = approved.proposal as { content: ContractContent }
    const amended = await amend(tx, contract, await prepareContent(tx, content), by)
    return changeOf('contract.amended', contract, amended, { reason: approved.reason })
  }
  const { effectiveDate } = approved.proposal as { effectiveDate: string }
  const move = approved.kind === 'SETTLEMENT' ? 'settle' : 'terminate'
  const ended = await end(tx, contract, { ...by, move, effectiveDate })
  const name = move === 'settle' ? 'contract.settled' : 'contract.terminated'
  return changeOf(name, contract, ended, { reason: approved.reason })
}
