import type { Permission } from '../access/permissions.ts'
import type { Refusal } from '../base/errors.ts'
import type { Action } from '../http/action.ts'
import { httpErrors } from '../http/errors.ts'
import { contractErrors } from './errors.ts'
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
  return contractErrors.ALREADY_DECIDED.refusal(
    `${last.by.username} decided this submission on ${last.at.slice(0, 10)}: ${last.decision.toLowerCase()}.`,
    { state, decision: last.decision, decidedBy: last.by, decidedAt: last.at },
  )
}
