import type { Caller } from '../access/caller.ts'
import { isPreparer } from '../access/four-eyes.ts'
import { changeActionsOf, changesByIds, type StoredChange } from '../changes/index.ts'
import { contractActionList, contractsByIds, type StoredContract } from '../contracts/index.ts'
import { actionsOf } from '../http/action.ts'
import type { Read } from '../storage/tx.ts'
import { canDecideOf } from './can-decide.ts'
import { type ItemName, itemNamesOf } from './item-name-store.ts'
import type { QueueItem } from './queue-item.ts'
import type { QueuePlace } from './queue-store.ts'
import { resourceOf } from './resources.ts'

/** The items of a page, in its order, as the caller sees them. */
export async function queueItemsOf(
  read: Read,
  caller: Caller,
  places: readonly QueuePlace[],
): Promise<QueueItem[]> {
  const idsOf = (kind: QueuePlace['kind']): string[] =>
    places.filter((place) => place.kind === kind).map(({ id }) => id)
  const contracts = await contractsByIds(read, idsOf('CONTRACT'))
  const changes = await changesByIds(read, idsOf('CHANGE'))
  const names = await itemNamesOf(read, changes)
  const canDecide = canDecideOf(read, caller)
  const items = await Promise.all(
    places.map(async (place): Promise<QueueItem | undefined> => {
      const contract = contracts.find(({ id }) => id === place.id)
      if (contract) {
        const who = await canDecide('contract:approve', contract.preparers)
        return { ...contractItem(contract, caller), waitingSince: place.since, canDecide: who }
      }
      const change = changes.find(({ id }) => id === place.id)
      if (change === undefined) return undefined
      const who = await canDecide(`${change.itemKind}:approve`, change.preparers)
      return {
        ...changeItem(change, names.get(change.itemId), caller),
        waitingSince: place.since,
        canDecide: who,
      }
    }),
  )
  return items.filter((item) => item !== undefined)
}

type Told = Omit<QueueItem, 'waitingSince' | 'canDecide'>

const TYPE_WORDS = {
  LOAN: 'Loan',
  HIRE_PURCHASE: 'Hire purchase',
  FINANCE_LEASE: 'Finance lease',
  OPERATING_LEASE: 'Operating lease',
} as const

function contractItem(contract: StoredContract, caller: Caller): Told {
  return {
    kind: 'CONTRACT',
    id: contract.id,
    itemId: contract.id,
    number: contract.number,
    title: `${TYPE_WORDS[contract.type]} for ${contract.partyName}`,
    party: { id: contract.partyId, displayName: contract.partyName },
    amount: contract.terms.financedAmount,
    preparedBy: [...contract.preparedBy],
    version: contract.version,
    own: isPreparer(contract, caller),
    actions: actionsOf(contractActionList, contract, caller),
  }
}

const KIND_WORDS = {
  AMENDMENT: 'Amendment of',
  SETTLEMENT: 'Settlement of',
  TERMINATION: 'Termination of',
  PARTY: 'Change of',
  PARTNER: 'Change of',
  UNBLOCK: 'End of the block of',
  RESUME: 'End of the suspension of',
  ERASURE: 'Erasure of',
} as const

function changeItem(change: StoredChange, name: ItemName | undefined, caller: Caller): Told {
  const resource = resourceOf(change.itemKind)
  return {
    kind: 'CHANGE',
    id: change.id,
    itemId: change.itemId,
    ...(name?.number && { number: name.number }),
    title: `${KIND_WORDS[change.kind]} ${name?.name ?? change.itemId}`,
    ...(name?.partyId && { party: { id: name.partyId, displayName: name.partyName ?? '' } }),
    ...(name?.amount && { amount: name.amount }),
    preparedBy: [...change.preparedBy],
    version: change.version,
    own: isPreparer(change, caller),
    actions: actionsOf(Object.values(changeActionsOf(resource)), change, caller),
  }
}
