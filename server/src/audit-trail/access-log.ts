import { randomUUID } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { systemClock } from '../base/clock.ts'
import type { Log, StaffAccess } from '../http/kernel.ts'
import { recordAudit } from '../storage/audit.ts'
import type { Scope } from '../storage/scope.ts'
import type { Db, Tx } from '../storage/tx.ts'
import {
  ACCESS_BATCH_ACTION,
  ACCESS_BATCH_KIND,
  type AccessRow,
  accessDigestOf,
  DIGEST_POINTER,
} from './access-row.ts'
import { databaseTime, insertAccesses } from './access-store.ts'
import { systemActor } from './system-actor.ts'

export interface AccessLogOptions {
  readonly db: Db
  readonly log: Log
  readonly clock?: Clock
}

export interface AccessLog {
  /** Remembers one read; it is written within a second. */
  note(access: StaffAccess): void
  flush(): Promise<void>
  /** Writes what is there; what cannot be written is told, and the stop goes on. */
  stop(): Promise<void>
}

/** Platform contract, section 9: written at most 1 s later. */
const FLUSH_MS = 800
const BATCH_ROWS = 500
/** While the database is away; beyond it reads are only counted, and the count is told. */
const MOST_WAITING = 20_000
const WHOLE_LOG: Scope = { rows: 'ALL' }

interface Noted extends Omit<AccessRow, 'at'> {
  readonly notedAt: number
}

interface Batch {
  readonly id: string
  readonly noted: readonly Noted[]
  readonly lost: number
}

export function createAccessLog({ db, log, clock = systemClock }: AccessLogOptions): AccessLog {
  const waiting = waitingReads()
  let unwritten: Batch | undefined
  let flushing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function note(access: StaffAccess): void {
    waiting.add(notedOf(access, clock()))
    flushSoon(waiting.count() >= BATCH_ROWS ? 0 : FLUSH_MS)
  }

  function flushSoon(inMs: number): void {
    if (isStopped || (timer !== undefined && inMs > 0)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      void flush().catch((error: unknown) => {
        log.error({ err: error, waiting: waiting.count() }, 'the access log cannot be written')
        flushSoon(FLUSH_MS)
      })
    }, inMs)
    timer.unref()
  }

  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined
    })
    return flushing
  }

  async function writeAll(): Promise<void> {
    for (;;) {
      unwritten ??= waiting.takeBatch()
      if (unwritten === undefined) return
      const batch = unwritten
      // The same batch until it is known to be kept: a lost answer must not write it twice.
      await db.write(WHOLE_LOG, (tx) => writeBatch(tx, batch, clock()))
      unwritten = undefined
    }
  }

  return {
    note,
    flush,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      try {
        // Whoever waits for that one hears of its failure; here it is tried once more.
        await flushing?.catch(() => undefined)
        await flush()
      } catch (error) {
        const rows = waiting.count() + (unwritten?.noted.length ?? 0)
        log.error({ err: error, rows }, 'the last reads could not be written to the access log')
      }
    },
  }
}

/** Reads in memory, bounded; what finds no room is counted. */
function waitingReads() {
  const noted: Noted[] = []
  let lost = 0
  return {
    count: () => noted.length,
    add(read: Noted): void {
      if (noted.length >= MOST_WAITING) lost += 1
      else noted.push(read)
    },
    takeBatch(): Batch | undefined {
      if (noted.length === 0 && lost === 0) return undefined
      const batch = { id: randomUUID(), noted: noted.splice(0, BATCH_ROWS), lost }
      lost = 0
      return batch
    },
  }
}

function notedOf({ item, caller, routeId, requestId }: StaffAccess, now: number): Noted {
  return {
    partyId: item.partyId,
    itemKind: item.kind,
    itemId: item.id,
    action: routeId,
    surface: caller.partnerId === undefined ? 'OPERATIONS' : 'PARTNER',
    subject: caller.subject,
    username: caller.username,
    requestId,
    notedAt: now,
  }
}

/** Times come from the database: its present one, less the time that a read has waited here. */
async function writeBatch(tx: Tx, { id, noted, lost }: Batch, now: number): Promise<void> {
  const databaseNow = await databaseTime(tx)
  const rows = noted.map(({ notedAt, ...row }): AccessRow => {
    const waited = Math.max(0, now - notedAt)
    return { ...row, at: new Date(databaseNow - waited).toISOString() }
  })
  if (rows.length > 0 && !(await insertAccesses(tx, id, rows))) return
  await recordAudit(tx, systemActor(id), {
    action: ACCESS_BATCH_ACTION,
    item: { kind: ACCESS_BATCH_KIND, id },
    diff: [
      { pointer: '/rows', before: null, after: rows.length },
      { pointer: DIGEST_POINTER, before: null, after: accessDigestOf(rows) },
      ...(lost > 0 ? [{ pointer: '/lost', before: null, after: lost }] : []),
    ],
  })
}
