import type { Mode } from '../access/caller.ts'
import { contractsOf } from '../contracts/index.ts'
import { partnerForContract } from '../partners/index.ts'
import type { Scope } from '../storage/scope.ts'
import type { Owner } from '../storage/session.ts'
import { transact } from '../storage/transaction.ts'
import type { Db, Tx } from '../storage/tx.ts'
import { backDate, keepOthersOut } from './back-dating-store.ts'
import { dayOfInstant } from './days.ts'
import { DEMO_IDS, demoPerson } from './people.ts'
import { tellStory } from './tell-story.ts'
import { actAs, surroundings, waitForOtherSeeding } from './telling-store.ts'

/**
 * TOLD         spread over the last four weeks
 * TOLD_TODAY   the same story, every instant of it now
 * KNOWN        it was there already
 * OTHER_DATA   left alone: someone else's data are there
 */
export type Telling = 'TOLD' | 'TOLD_TODAY' | 'KNOWN' | 'OTHER_DATA'

export interface TellingOptions {
  /** Who can move instants into the past; without one the story is told as of today. */
  readonly owner?: Owner | undefined
  /** Tells it into a database with other data too. */
  readonly force?: boolean
}

const WHOLE: Scope = { rows: 'ALL' }

/**
 * Tells the demo story once, whole or not at all: one transaction. Until it commits nobody sees a row
 * of it, so that no instant was ever read, chained or signed before it was moved.
 */
export async function seedDemo(
  db: Db,
  mode: Mode,
  today: string,
  { owner, force = false }: TellingOptions = {},
): Promise<Telling> {
  if (await db.read(WHOLE, (read) => partnerForContract(read, DEMO_IDS.dealer))) return 'KNOWN'
  const lastDay = earlier(today, dayOfInstant(Date.now()))
  if (owner === undefined) {
    return await db.write(WHOLE, (tx) => tellOnce(tx, mode, lastDay, { force, isOwner: false }))
  }
  return await owner.use((session) =>
    transact(session, 'READ WRITE', WHOLE, async (tx) => {
      await keepOthersOut(tx)
      return await tellOnce(tx, mode, lastDay, { force, isOwner: true })
    }),
  )
}

interface Rights {
  readonly force: boolean
  readonly isOwner: boolean
}

async function tellOnce(
  tx: Tx,
  mode: Mode,
  lastDay: string,
  { force, isOwner }: Rights,
): Promise<Telling> {
  await waitForOtherSeeding(tx)
  const { isTold, hasOtherData, hasTrail } = await surroundings(tx)
  if (isTold) return 'KNOWN'
  if (hasOtherData && !force) return 'OTHER_DATA'
  const marks = await tellStory(tx, mode, lastDay)
  if (!isOwner || hasOtherData || hasTrail) return 'TOLD_TODAY'
  await actAs(tx, WHOLE)
  await backDate(tx, marks)
  return 'TOLD'
}

/** Where the business is ahead of UTC its day may not have begun there. */
function earlier(day: string, other: string): string {
  return day < other ? day : other
}

/** A contract of the story that still waits, for the commands that a newcomer pastes. */
export async function waitingContractOf(db: Db, preparedBy: string): Promise<string | undefined> {
  const [first] = await db.read(WHOLE, (read) =>
    contractsOf(
      read,
      demoPerson('auditor', 'developer'),
      { states: ['PENDING_APPROVAL'], preparedBy },
      { key: 'createdAt', descending: false },
      { limit: 1, after: undefined, cursorAfter: () => '' },
    ),
  )
  return first?.id
}
