import { dayOfInstant } from '../days.ts'
import { type Dice, diceOf } from './dice.ts'
import { lifeOf } from './lives.ts'
import { loadChangeOf } from './load-change.ts'
import { loadContentOf, type Scenery } from './load-content.ts'
import type { TableRow } from './load-party.ts'
import { type LoadPerson, loadDeciders, loadPreparers } from './load-people.ts'
import { beganAt, instantOf, loadIdOf } from './load-plan.ts'
import { beginning, type LoadMove, moved, type Standing } from './standing.ts'

/** A contract with all that belongs to it. */
export interface LoadedContract {
  /** What never moves; each version says the rest. */
  readonly base: TableRow
  readonly versions: readonly Standing[]
  readonly change: TableRow | null
}

/** A range of numbers that live contracts do not reach, so that the two never meet. */
const FIRST_NUMBER = 100_000_001
const PENDING_CHANGE_PERCENT = 1

export function loadContractOf(scenery: Scenery, index: number): LoadedContract {
  const { plan, timeline } = scenery
  const dice = diceOf(plan.seed, 'contract', index)
  const ms = timeline(beganAt(plan, index))
  const content = loadContentOf(scenery, dice, ms, index)
  const preparer = dice.pick(loadPreparers)
  const base = {
    id: loadIdOf('ctr', ms, plan, index),
    number: `${dayOfInstant(ms).slice(0, 4)}-${FIRST_NUMBER + index}`,
    ...content,
    created_by: preparer.ref,
    created_at: instantOf(ms),
  }
  const changeId = loadIdOf('chg', ms, plan, index)
  const versions = versionsOf(scenery, dice, { index, preparer, changeId, hash: base.content_hash })
  const { state } = versions.at(-1) as Standing
  const isEnded = state === 'SETTLED' || state === 'TERMINATED'
  const isProposed = state === 'ACTIVE' && dice.chance(PENDING_CHANGE_PERCENT)
  if (!isEnded && !isProposed) return { base, versions, change: null }
  return { base, versions, change: loadChangeOf({ id: changeId, base, versions, preparer }) }
}

interface Beginning {
  readonly index: number
  readonly preparer: LoadPerson
  readonly changeId: string
  readonly hash: string
}

function versionsOf(
  { plan, timeline }: Scenery,
  dice: Dice,
  { index, preparer, changeId, hash }: Beginning,
): readonly Standing[] {
  const began = beganAt(plan, index)
  const { isDraft, moves } = lifeOf(dice, began)
  let standing = beginning(isDraft, preparer, timeline(began))
  const versions = [standing]
  for (const [move, moment] of moves) {
    const by = actorOf(move, dice, preparer)
    standing = moved(standing, { move, by, ms: timeline(moment), contentHash: hash, changeId })
    versions.push(standing)
  }
  return versions
}

const BY_PREPARERS: ReadonlySet<LoadMove> = new Set(['submit', 'withdraw', 'reopen'])
const BY_A_COLLEAGUE_PERCENT = 20

/** Mostly the one who began it, at times a colleague; what needs four eyes is of the other team. */
function actorOf(move: LoadMove, dice: Dice, preparer: LoadPerson): LoadPerson {
  if (!BY_PREPARERS.has(move)) return dice.pick(loadDeciders)
  return dice.chance(BY_A_COLLEAGUE_PERCENT) ? dice.pick(loadPreparers) : preparer
}
