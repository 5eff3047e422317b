export const CONTRACT_STATES = [
  'DRAFT',
  'PENDING_APPROVAL',
  'APPROVED',
  'ACTIVE',
  'SETTLED',
  'TERMINATED',
  'REJECTED',
  'WITHDRAWN',
] as const
export type ContractState = (typeof CONTRACT_STATES)[number]

/** Every legal move, by the command that makes it. The table contract_move says the same. */
export const MOVES = {
  submit: { from: ['DRAFT'], to: 'PENDING_APPROVAL' },
  approve: { from: ['PENDING_APPROVAL'], to: 'APPROVED' },
  reject: { from: ['PENDING_APPROVAL'], to: 'REJECTED' },
  return: { from: ['PENDING_APPROVAL'], to: 'DRAFT' },
  withdraw: { from: ['DRAFT', 'PENDING_APPROVAL', 'APPROVED'], to: 'WITHDRAWN' },
  reopen: { from: ['APPROVED'], to: 'DRAFT' },
  activate: { from: ['APPROVED'], to: 'ACTIVE' },
  settle: { from: ['ACTIVE'], to: 'SETTLED' },
  terminate: { from: ['ACTIVE'], to: 'TERMINATED' },
} as const satisfies Record<string, { from: readonly ContractState[]; to: ContractState }>

export type Move = keyof typeof MOVES

const TERMINAL: ReadonlySet<ContractState> = new Set([
  'REJECTED',
  'WITHDRAWN',
  'SETTLED',
  'TERMINATED',
])

export function isTerminal(state: ContractState): boolean {
  return TERMINAL.has(state)
}

/** What a state still allows, for error texts. */
export function movesFrom(state: ContractState): Move[] {
  return (Object.keys(MOVES) as Move[]).filter((move) =>
    (MOVES[move].from as readonly ContractState[]).includes(state),
  )
}
