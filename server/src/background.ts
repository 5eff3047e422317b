import {
  createAccessLog,
  createSecuritySummary,
  createSequencer,
  openCheckpoints,
} from './audit-trail/index.ts'
import { systemClock } from './base/clock.ts'
import { seenCallersOf } from './changes/index.ts'
import type { Config } from './config.ts'
import type { Kernel, Log } from './http/kernel.ts'
import type { Store } from './open-store.ts'

/** What goes on beside the requests: the audit chain, the access log, the counts of refusals. */
export interface Background {
  readonly noteAccess: NonNullable<Kernel['noteAccess']>
  readonly noteSeen: NonNullable<Kernel['noteSeen']>
  readonly countRefusal: (code: string) => void
  /** Writes what is still in memory, then chains and signs it. */
  stop(): Promise<void>
}

export async function startBackground(config: Config, store: Store, log: Log): Promise<Background> {
  const { db } = store
  const checkpoints = await openCheckpoints({ db, log, keyDir: config.keyDir })
  const sequencer = createSequencer({ db, log, checkpoints })
  const accessLog = createAccessLog({ db, log })
  const securitySummary = createSecuritySummary({ db, log })
  let isStopped = false
  void store.fit.then(() => {
    if (!isStopped) sequencer.start()
  })
  return {
    noteAccess: accessLog.note,
    noteSeen: seenCallersOf(db, systemClock, log),
    countRefusal: securitySummary.count,
    stop: async () => {
      isStopped = true
      // Nothing was served, so there is nothing to write, and nowhere.
      if (store.waitsFor() !== undefined) return
      await accessLog.stop()
      await securitySummary.stop()
      await sequencer.stop()
    },
  }
}
