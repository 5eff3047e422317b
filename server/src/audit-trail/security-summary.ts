import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../base/clock.ts'
import type { DiffRow } from '../base/diff.ts'
import type { Log } from '../http/kernel.ts'
import { recordAudit } from '../storage/audit.ts'
import type { Scope } from '../storage/scope.ts'
import type { Db } from '../storage/tx.ts'
import { systemActor } from './system-actor.ts'

export interface SecuritySummaryOptions {
  readonly db: Db
  readonly log: Log
  readonly clock?: Clock
  readonly everyMs?: number
}

export interface SecuritySummary {
  /** One refusal before identity, by its code. */
  count(code: string): void
  /** Writes the counts so far; nothing where there are none. */
  flush(): Promise<void>
  /** Writes what is left; what cannot be written is told, and the stop goes on. */
  stop(): Promise<void>
}

/** Platform contract, section 9: one entry per minute, however many strangers there are. */
const EVERY_MS = 60_000
const NO_ROWS: Scope = { rows: 'NONE' }

export function createSecuritySummary(options: SecuritySummaryOptions): SecuritySummary {
  const { db, log, clock = systemClock, everyMs = EVERY_MS } = options
  let counts = new Map<string, number>()
  let since = clock()
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    if (counts.size === 0) {
      since = clock()
      return
    }
    const [written, from, to] = [counts, since, clock()]
    counts = new Map()
    since = to
    try {
      await db.write(NO_ROWS, (tx) =>
        recordAudit(tx, systemActor(randomUUID()), {
          action: 'security.summarised',
          diff: summaryOf(written, from, to),
        }),
      )
    } catch (error) {
      for (const [code, count] of written) counts.set(code, (counts.get(code) ?? 0) + count)
      since = from
      throw error
    }
  }

  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function tell(): Promise<void> {
    try {
      await flush()
    } catch (error) {
      log.error({ err: error }, 'the summary of refusals cannot be written')
    }
  }

  const timer = setInterval(() => void tell(), everyMs).unref()

  return {
    count(code) {
      counts.set(code, (counts.get(code) ?? 0) + 1)
    },
    flush,
    async stop() {
      clearInterval(timer)
      // The first may only wait for one that began before the last refusals.
      if (writing !== undefined) await tell()
      await tell()
    },
  }
}

function summaryOf(counts: ReadonlyMap<string, number>, from: number, to: number): DiffRow[] {
  const row = (pointer: string, after: unknown): DiffRow => ({ pointer, before: null, after })
  return [
    row('/from', new Date(from).toISOString()),
    row('/to', new Date(to).toISOString()),
    ...[...counts].sort().map(([code, count]) => row(`/refusals/${code}`, count)),
  ]
}
