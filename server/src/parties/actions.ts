import type { Caller } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import { isScoped } from '../access/scope.ts'
import type { Refusal } from '../base/errors.ts'
import { changeErrors } from '../changes/index.ts'
import { type Action, scopedRefusal } from '../http/action.ts'
import { httpErrors } from '../http/errors.ts'
import type { StoredParty } from './party.ts'

type PartyAction = Action<StoredParty>
type PartyState = StoredParty['state']

export const partyActions = {
  edit: proposing('edit', 'party:update', ['ACTIVE', 'BLOCKED']),
  block: {
    name: 'block',
    permission: 'party:update',
    stateRefusal: (party: StoredParty) => stateRefusal(party, ['ACTIVE']),
  },
  unblock: proposing('unblock', 'party:update', ['BLOCKED']),
  erase: {
    name: 'erase',
    permission: 'party:erase',
    stateRefusal: (party: StoredParty, caller: Caller) =>
      isScoped(caller)
        ? scopedRefusal('party:erase')
        : (stateRefusal(party, ['ACTIVE', 'BLOCKED']) ?? openChangeRefusal(party)),
  },
} as const satisfies Record<string, PartyAction>

export const partyActionList: readonly PartyAction[] = Object.values(partyActions)

/** What becomes a pending change: one at a time. */
function proposing(
  name: string,
  permission: Permission,
  states: readonly PartyState[],
): PartyAction {
  return {
    name,
    permission,
    stateRefusal: (party) => stateRefusal(party, states) ?? openChangeRefusal(party),
  }
}

function stateRefusal(
  { state }: StoredParty,
  allowedStates: readonly PartyState[],
): Refusal | undefined {
  if (allowedStates.includes(state)) return undefined
  return httpErrors.INVALID_STATE.refusal(
    `The party is ${state.toLowerCase()}; this needs it to be ${allowedStates.join(' or ').toLowerCase()}.`,
    { state, allowedStates },
  )
}

function openChangeRefusal({ pendingChanges }: StoredParty): Refusal | undefined {
  if (pendingChanges.length === 0) return undefined
  return changeErrors.CHANGE_ALREADY_PENDING.refusal(
    'A change of this party waits for a decision. Decide or withdraw it first.',
    { changeId: pendingChanges[0]?.id },
  )
}
