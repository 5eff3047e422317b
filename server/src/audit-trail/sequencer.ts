import type { Log } from '../http/kernel.ts'
import type { Scope } from '../storage/scope.ts'
import type { Db, Tx } from '../storage/tx.ts'
import {
  auditEntries,
  type ChainLink,
  chainHead,
  feedEvents,
  insertLinks,
  outboxEvents,
  takeEntries,
} from './chain-store.ts'
import type { Checkpoints } from './checkpoints.ts'
import { isNumberingDue, lockNumbering } from './numbering-store.ts'
import { chainHashOf, GENESIS_HASH } from './record.ts'

export interface SequencerOptions {
  readonly db: Db
  readonly log: Log
  readonly intervalMs?: number
  /** Without it the chain is not signed. */
  readonly checkpoints?: Checkpoints
}

export interface Sequencer {
  start(): void
  /** Numbers and signs what is there, then ends. */
  stop(): Promise<void>
  /** Numbers and chains all that is ready. Answers the entries chained by this call. */
  runOnce(): Promise<number>
}

const INTERVAL_MS = 500
/** One transaction's worth: the embedded store serves nobody else meanwhile. */
export const BATCH_ROWS = 500
const WHOLE_TRAIL: Scope = { rows: 'ALL' }

/**
 * One sequencer per database: every process runs one, an advisory lock lets one work at a time. Writers
 * wait for neither each other nor it (platform contract, section 9).
 */
export function createSequencer(options: SequencerOptions): Sequencer {
  const { db, log, intervalMs = INTERVAL_MS, checkpoints } = options
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isStopped = false
  let isFailing = false

  async function runOnce(): Promise<number> {
    let chained = 0
    while (await isDue(db)) {
      const batch = await db.write(WHOLE_TRAIL, chainBatch)
      // Another process is at it, and it has the same eyes.
      if (batch === undefined) break
      chained += batch
      await checkpoints?.signIfDue()
    }
    await checkpoints?.signIfDue()
    return chained
  }

  async function turn(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
      if (isFailing) log.info({}, 'the audit chain grows again')
      isFailing = false
    } catch (error) {
      // Entries wait in their table; the next turn finds them. One line per outage is enough.
      if (!isFailing) log.error({ err: error }, 'the audit chain cannot grow')
      isFailing = true
    }
  }

  function schedule(): void {
    if (isStopped) return
    timer = setTimeout(() => {
      running = turn(runOnce).finally(schedule)
    }, intervalMs)
    timer.unref()
  }

  return {
    runOnce,
    start: schedule,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      await turn(async () => {
        await runOnce()
        await checkpoints?.signRest()
      })
    },
  }
}

async function isDue(db: Db): Promise<boolean> {
  return db.read(WHOLE_TRAIL, async (read) => {
    const due = [await isNumberingDue(read, auditEntries), await isNumberingDue(read, outboxEvents)]
    return due.includes(true)
  })
}

/** Undefined while another process holds the lock. */
async function chainBatch(tx: Tx): Promise<number | undefined> {
  if (!(await lockNumbering(tx))) return undefined
  await feedEvents(tx, BATCH_ROWS)
  const records = await takeEntries(tx, BATCH_ROWS)
  if (records.length === 0) return 0
  const head = await chainHead(tx)
  let seq = head?.seq ?? 0
  let hash = head?.hash ?? GENESIS_HASH
  const links = records.map((record): ChainLink => {
    seq += 1
    hash = chainHashOf(seq, hash, record)
    return { seq, hash, entryId: record.id }
  })
  await insertLinks(tx, links)
  return links.length
}
