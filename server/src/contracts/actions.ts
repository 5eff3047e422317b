import type { Permission } from '../access/permissions.ts'
import type { Refusal } from '../base/errors.ts'
import { changeErrors } from '../changes/index.ts'
import type { Action } from '../http/action.ts'
import { httpErrors } from '../http/errors.ts'
import { type ContractState, MOVES, type Move, movesFrom } from './states.ts'
import type { StoredContract } from './stored-contract.ts'

type ContractAction = Action<StoredContract>

function moving(name: Move, permission: Permission): ContractAction {
  return { name, permission, stateRefusal: (contract) => moveRefusal(contract, name) }
}

/** A decision about what someone else prepared. */
function deciding(name: 'approve' | 'reject' | 'return'): ContractAction {
  return {
    name,
    permission: 'contract:approve',
    fourEyes: true,
    stateRefusal: (contract) => decidedRefusal(contract) ?? moveRefusal(contract, name),
  }
}

/** Prepared here and approved by another person; one change at a time. */
function ending(name: 'settle' | 'terminate', permission: Permission): ContractAction {
  return {
    name,
    permission,
    stateRefusal: (contract) => moveRefusal(contract, name) ?? openChangeRefusal(contract),
  }
}

function openChangeRefusal({ changePending }: StoredContract): Refusal | undefined {
  if (!changePending) return undefined
  return changeErrors.CHANGE_ALREADY_PENDING.refusal(
    'A change of this contract waits for a decision. Decide or withdraw it first.',
  )
}

export const contractActions = {
  edit: {
    name: 'edit',
    permission: 'contract:update',
    stateRefusal: ({ state }: StoredContract) =>
      state === 'DRAFT'
        ? undefined
        : stateRefusal(
            state,
            ['DRAFT'],
            'Only a draft can be edited; return or withdraw it first.',
          ),
  },
  submit: moving('submit', 'contract:create'),
  approve: deciding('approve'),
  reject: deciding('reject'),
  return: deciding('return'),
  withdraw: moving('withdraw', 'contract:create'),
  reopen: moving('reopen', 'contract:create'),
  activate: {
    name: 'activate',
    permission: 'contract:activate',
    fourEyes: true,
    stateRefusal: (contract: StoredContract) =>
      moveRefusal(contract, 'activate') ?? openChangeRefusal(contract),
  },
  settle: ending('settle', 'contract:settle'),
  terminate: ending('terminate', 'contract:terminate'),
  amend: {
    name: 'amend',
    permission: 'contract:update',
    stateRefusal: (contract: StoredContract) =>
      contract.state === 'ACTIVE'
        ? openChangeRefusal(contract)
        : stateRefusal(
            contract.state,
            ['ACTIVE'],
            'Only an active contract is amended; a draft is edited.',
          ),
  },
} as const satisfies Record<string, ContractAction>

export const contractActionList: readonly ContractAction[] = Object.values(contractActions)

function moveRefusal({ state }: StoredContract, move: Move): Refusal | undefined {
  const from: readonly ContractState[] = MOVES[move].from
  if (from.includes(state)) return undefined
  const possible = movesFrom(state)
  return stateRefusal(
    state,
    from,
    possible.length > 0
      ? `A contract in state ${state} can be moved by: ${possible.join(', ')}.`
      : `A contract in state ${state} has come to its end.`,
  )
}

function stateRefusal(
  state: ContractState,
  allowedStates: readonly ContractState[],
  detail: string,
): Refusal {
  return httpErrors.INVALID_STATE.refusal(detail, { state, allowedStates })
}

/** Whoever comes second learns that, and by whom, instead of a bare state. */
function decidedRefusal({ state, decisions }: StoredContract): Refusal | undefined {
  const last = decisions.at(-1)
  if (last === undefined || state === 'PENDING_APPROVAL' || state === 'WITHDRAWN') return undefined
  if (state === 'DRAFT' && last.decision !== 'RETURNED') return undefined
  return changeErrors.ALREADY_DECIDED.refusal(
    `${last.by.username} decided this submission on ${last.at.slice(0, 10)}: ${last.decision.toLowerCase()}.`,
    { state, decision: last.decision, decidedBy: last.by, decidedAt: last.at },
  )
}
