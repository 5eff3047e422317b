import type { ChangeResource, StoredChange } from '../changes/index.ts'
import { contractChanges } from '../contracts/index.ts'
import { partyChanges } from '../parties/index.ts'
import { partnerChanges } from '../partners/index.ts'

const RESOURCES: Readonly<Record<StoredChange['itemKind'], ChangeResource>> = {
  contract: contractChanges,
  party: partyChanges,
  partner: partnerChanges,
}

export function resourceOf(itemKind: StoredChange['itemKind']): ChangeResource {
  return RESOURCES[itemKind]
}
