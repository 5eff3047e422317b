import type { Dice } from './dice.ts'
import { WORKING_DAYS } from './load-plan.ts'
import type { LoadMove } from './standing.ts'

/** How a contract begins and what is done with it, and how common that is. */
interface Course {
  readonly isDraft?: boolean
  readonly moves: readonly LoadMove[]
  /** Weights: begun in the last weeks, or long ago. */
  readonly young: number
  readonly old: number
}

const COURSES: readonly Course[] = [
  { isDraft: true, moves: [], young: 20, old: 1 },
  { moves: [], young: 72, old: 1 },
  { moves: ['return'], young: 8, old: 1 },
  { moves: ['return', 'submit'], young: 12, old: 0 },
  { moves: ['approve'], young: 32, old: 2 },
  { moves: ['approve', 'reopen'], young: 2, old: 0 },
  { moves: ['reject'], young: 12, old: 13 },
  { moves: ['return', 'submit', 'reject'], young: 2, old: 2 },
  { isDraft: true, moves: ['withdraw'], young: 4, old: 4 },
  { moves: ['withdraw'], young: 4, old: 4 },
  { moves: ['approve', 'withdraw'], young: 2, old: 3 },
  { moves: ['approve', 'activate'], young: 24, old: 98 },
  { isDraft: true, moves: ['submit', 'approve', 'activate'], young: 4, old: 20 },
  { moves: ['return', 'submit', 'approve', 'activate'], young: 2, old: 16 },
  { moves: ['approve', 'activate', 'settle'], young: 0, old: 26 },
  { moves: ['approve', 'activate', 'terminate'], young: 0, old: 9 },
]
const YOUNG_WEIGHTS = COURSES.map(({ young }) => young)
const OLD_WEIGHTS = COURSES.map(({ old }) => old)
const YOUNG_DAYS = 30

export interface Life {
  readonly isDraft: boolean
  /** Each move with its moment in working days. */
  readonly moves: readonly (readonly [LoadMove, number])[]
}

export function lifeOf(dice: Dice, began: number): Life {
  const isYoung = WORKING_DAYS - began < YOUNG_DAYS
  const { isDraft = false, moves } = COURSES[
    dice.weighted(isYoung ? YOUNG_WEIGHTS : OLD_WEIGHTS)
  ] as Course
  let at = began
  return {
    isDraft,
    moves: moves.map((move) => {
      at = nextMoment(dice, at, move)
      return [move, at] as const
    }),
  }
}

const MOST_DAYS_BETWEEN = 3

/** Work goes on within days; a contract ends whenever it does. Nothing lies beyond the last day. */
function nextMoment(dice: Dice, at: number, move: LoadMove): number {
  const left = WORKING_DAYS - at
  const isEnding = move === 'settle' || move === 'terminate'
  const share = dice.next()
  if (isEnding) return at + left * (0.1 + 0.85 * share)
  return at + Math.min((0.05 + share) * MOST_DAYS_BETWEEN, left * (0.2 + 0.5 * share))
}
