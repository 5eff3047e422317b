import { expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import { contractActions } from './actions.ts'
import { CONTRACT_STATES, isTerminal, MOVES, type Move, movesFrom } from './states.ts'

interface Row {
  readonly from: string
  readonly to: string
  readonly decision: string | null
}

const pairs = (Object.keys(MOVES) as Move[]).flatMap((move) =>
  MOVES[move].from.map((from) => ({ move, from, to: MOVES[move].to })),
)
const WORDS: Partial<Record<Move, string>> = {
  approve: 'APPROVED',
  reject: 'REJECTED',
  return: 'RETURNED',
}

/** Platform contract, section 4, as it is written there. */
const TOLD = `
  DRAFT → PENDING_APPROVAL → APPROVED → ACTIVE → SETTLED
  ACTIVE → TERMINATED
  PENDING_APPROVAL → REJECTED
  PENDING_APPROVAL → DRAFT
  APPROVED → DRAFT
  DRAFT → WITHDRAWN
  PENDING_APPROVAL → WITHDRAWN
  APPROVED → WITHDRAWN`

test('the moves are those of the contract and no others (spec 3.1)', () => {
  const told = TOLD.trim()
    .split('\n')
    .flatMap((line) => {
      const states = line.trim().split(' → ')
      return states.slice(1).map((to, index) => `${states[index]} → ${to}`)
    })
  expect(pairs.map(({ from, to }) => `${from} → ${to}`).sort()).toEqual(told.sort())
})

test('a state is terminal exactly when nothing leads out of it (spec 3.1)', () => {
  for (const state of CONTRACT_STATES) {
    expect(isTerminal(state), state).toBe(pairs.every(({ from }) => from !== state))
    expect(movesFrom(state), state).toEqual(
      pairs.filter(({ from }) => from === state).map(({ move }) => move),
    )
  }
  expect(CONTRACT_STATES.filter(isTerminal).sort()).toEqual(
    ['REJECTED', 'SETTLED', 'TERMINATED', 'WITHDRAWN'].sort(),
  )
})

test('what another person decides is under four-eyes, and nothing else', () => {
  const underFourEyes = Object.values(contractActions)
    .filter((action) => 'fourEyes' in action && action.fourEyes)
    .map(({ name }) => name)
  expect(underFourEyes.sort()).toEqual(['activate', 'approve', 'reject', 'return'])
})

eachStore((store) => {
  test('the table of moves in the database says the same, with the word of each decision (spec 3.1)', async () => {
    const rows = await store.db.read({ rows: 'NONE' }, (read) =>
      read.rows<Row>(sql`
        select from_state as "from", to_state as "to", decision from contract_move
         where decided = (decision is not null)`),
    )
    const ours = pairs.map(({ move, from, to }) => ({ from, to, decision: WORDS[move] ?? null }))
    const inOrder = (all: readonly Row[]) => all.map((row) => JSON.stringify(row)).sort()
    expect(inOrder(rows)).toEqual(inOrder(ours))
  })
})
