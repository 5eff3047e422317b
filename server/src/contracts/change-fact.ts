import type { ChangeFact } from '../http/route.ts'
import { contentOf, type StoredContract } from './stored-contract.ts'

/** What changed, for the audit trail and the event: content and state, before and after. */
export function changeOf(
  name: `contract.${string}`,
  before: StoredContract | undefined,
  after: StoredContract,
  reason?: { readonly reason: string | undefined },
): ChangeFact {
  return {
    name,
    item: { id: after.id, version: after.version },
    ...(before && { before: auditedOf(before) }),
    after: { ...auditedOf(after), ...(reason?.reason !== undefined && { reason: reason.reason }) },
  }
}

function auditedOf(contract: StoredContract): object {
  return {
    state: contract.state,
    version: contract.version,
    contentHash: contract.contentHash,
    ...contentOf(contract),
  }
}
