import type { Owner } from '../../storage/session.ts'
import { transact } from '../../storage/transaction.ts'
import type { Tx } from '../../storage/tx.ts'
import { waitForOtherSeeding } from '../telling-store.ts'
import { datedDeals, dealsOf } from './deals.ts'
import type { Scenery } from './load-content.ts'
import { type LoadedContract, loadContractOf } from './load-contract.ts'
import { isSuspended, loadPartnerOf, loadPartyOf, type TableRow } from './load-party.ts'
import { type LoadPerson, loadPreparers } from './load-people.ts'
import {
  bringsParty,
  type LoadPlan,
  newestPartyAt,
  partnerCountOf,
  timelineOf,
} from './load-plan.ts'
import {
  beginLoad,
  hasLiveData,
  insertContracts,
  insertParties,
  insertPartners,
  type LoadPosition,
  loadPosition,
  moveOn,
} from './load-store.ts'

/** Rows of one transaction: large enough to be fast, small enough for the embedded store. */
export const BATCH_CONTRACTS = 1_500

export interface LoadOptions {
  /** Also into a database that people have worked in. */
  readonly force?: boolean
  /** At the beginning and after each batch; `began` is where this run took over. */
  readonly onProgress?: (progress: LoadProgress) => void
  /** Ends the load after the batch under way; the same call goes on from there. */
  readonly signal?: AbortSignal
}

export interface LoadProgress {
  readonly began: number
  readonly done: number
  readonly contracts: number
}

/**
 * Load data: batch by batch, each one transaction with its position, so that it can be ended at any
 * moment and goes on where it ended. Answers how far it is.
 */
export async function seedLoad(
  owner: Owner,
  plan: LoadPlan,
  options: LoadOptions = {},
): Promise<LoadProgress> {
  let position = await begunLoad(owner, plan, options.force === true)
  const began = position.done
  const scenery = sceneryOf(plan)
  const { contracts } = plan
  options.onProgress?.({ began, done: began, contracts })
  let batch = batchAt(scenery, position.done)
  while (position.done < contracts && !options.signal?.aborted) {
    const to = { ...position, done: position.done + batch.contracts.length }
    const stored = asOwner(owner, (tx) => storeBatch(tx, scenery, batch, { from: position, to }))
    // The next one is made while the database stores this one.
    const next = batchAt(scenery, to.done)
    await stored
    position = to
    batch = next
    options.onProgress?.({ began, done: position.done, contracts })
  }
  return { began, done: position.done, contracts }
}

function asOwner<T>(owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T> {
  return owner.use((session) => transact(session, 'READ WRITE', { rows: 'ALL' }, work))
}

async function begunLoad(owner: Owner, plan: LoadPlan, force: boolean): Promise<LoadPosition> {
  return await asOwner(owner, async (tx) => {
    await waitForOtherSeeding(tx)
    const known = await loadPosition(tx)
    if (known !== undefined) return requireSamePlan(known, plan)
    if (!force && (await hasLiveData(tx))) {
      throw new Error(
        'People have worked in this database, and load data can never be taken out again. ' +
          'Choose another database, or say --force.',
      )
    }
    const position = { ...plan, done: 0 }
    await beginLoad(tx, position)
    return position
  })
}

function requireSamePlan(known: LoadPosition, { contracts, seed, asOf }: LoadPlan): LoadPosition {
  const isSame = known.contracts === contracts && known.seed === seed && known.asOf === asOf
  if (isSame) return known
  throw new Error(
    `This database has the load data of --contracts ${known.contracts} --seed ${known.seed} ` +
      `--as-of ${known.asOf}, ${known.done} of them so far: say the same, or choose another database.`,
  )
}

export function sceneryOf(plan: LoadPlan): Scenery {
  const timeline = timelineOf(plan)
  const deals = dealsOf(plan)
  const partners = partnersOf(plan)
  return {
    ...{ plan, timeline, deals, dealOn: datedDeals(deals) },
    partnerIds: partners.map(({ id }) => id),
  }
}

function partnersOf(plan: LoadPlan): readonly TableRow[] {
  const firstDayMs = timelineOf(plan)(0)
  return Array.from({ length: partnerCountOf(plan) }, (_, index) =>
    loadPartnerOf(plan, index, firstDayMs),
  )
}

interface Batch {
  readonly from: number
  readonly creator: LoadPerson
  readonly parties: readonly TableRow[]
  readonly contracts: readonly LoadedContract[]
}

export function batchAt(scenery: Scenery, from: number): Batch {
  const { plan, timeline } = scenery
  const to = Math.min(plan.contracts, from + BATCH_CONTRACTS)
  const creator = loadPreparers[(from / BATCH_CONTRACTS) % loadPreparers.length] as LoadPerson
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place)
  return {
    ...{ from, creator },
    parties: indexes
      .filter(bringsParty)
      .map((index) => loadPartyOf(plan, timeline, newestPartyAt(index), creator)),
    contracts: indexes.map((index) => loadContractOf(scenery, index)),
  }
}

interface Move {
  readonly from: LoadPosition
  readonly to: LoadPosition
}

async function storeBatch(tx: Tx, { plan }: Scenery, batch: Batch, { from, to }: Move) {
  await moveOn(tx, from, to)
  if (batch.from === 0) {
    const partners = partnersOf(plan)
    const suspended = partners.filter((_, index) => isSuspended(index)).map(({ id }) => id)
    await insertPartners(tx, partners, suspended, loadPreparers[0] as LoadPerson)
  }
  await insertParties(tx, batch.parties, batch.creator)
  await insertContracts(tx, batch.contracts)
}
