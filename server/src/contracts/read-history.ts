import { Type } from 'typebox'
import { personIdOf } from '../access/caller.ts'
import { Id } from '../base/schema.ts'
import { query } from '../http/route.ts'
import { ContractParams } from './contract.ts'
import { HistoryEntry, storyOf } from './history.ts'
import {
  type ChangeTrace,
  changeTraces,
  type RefusedAttempt,
  refusedAttempts,
} from './history-store.ts'
import { contractById } from './store.ts'
import { contractVersions } from './version-store.ts'

export const readHistory = query({
  id: 'readHistory',
  surface: 'operations',
  path: '/contracts/:contract_id/history',
  summary: 'The story of a contract: who did what, when and why, refused attempts included.',
  permission: ['contract:read', 'contract:approve'],
  params: ContractParams,
  reply: Type.Object({ contractId: Id, partyId: Id, items: Type.Array(HistoryEntry) }),
  accessed: ({ contractId, partyId }) => ({ kind: 'contract', id: contractId, partyId }),

  async run({ read, params }) {
    const contract = await contractById(read, params.contract_id)
    const { id, partyId } = contract
    const entries = [
      ...storyOf(await contractVersions(read, id)),
      ...(await changeTraces(read, id)).flatMap(changeEntries),
      ...(await refusedAttempts(read, contract)).map(refusalEntry),
    ]
    return {
      contractId: id,
      partyId,
      items: entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    }
  },
})

/** An approved change is told by the version that it made. */
function changeEntries(change: ChangeTrace): HistoryEntry[] {
  const proposed: HistoryEntry = {
    event: 'CHANGE_PROPOSED',
    at: change.createdAt,
    by: change.createdBy,
    version: null,
    reason: change.reason,
    changeId: change.id,
  }
  if (change.state !== 'REJECTED' && change.state !== 'WITHDRAWN') return [proposed]
  return [
    proposed,
    {
      event: `CHANGE_${change.state}`,
      at: change.updatedAt,
      by: change.updatedBy,
      version: null,
      reason: change.refusal,
      changeId: change.id,
    },
  ]
}

function refusalEntry({ at, subject, username }: RefusedAttempt): HistoryEntry {
  return {
    event: 'REFUSED',
    at,
    by: { id: personIdOf(subject), username },
    version: null,
    reason: 'A different user must decide.',
    changeId: null,
  }
}
