import type { Caller } from '../access/caller.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../http/kernel.ts'
import type { Db } from '../storage/tx.ts'
import { recordSeen } from './seen-store.ts'

const AGAIN_AFTER_MS = 60 * 60_000
const MOST_REMEMBERED = 50_000

/** Notes each caller about once an hour, beside the request: the hot path only looks into a map. */
export function seenCallersOf(db: Db, clock: Clock, log: Log): (caller: Caller) => void {
  const noted = new Map<string, { at: number; permissions: ReadonlySet<string> }>()
  return (caller) => {
    const last = noted.get(caller.subject)
    const now = clock()
    if (last && now - last.at < AGAIN_AFTER_MS && isSame(last.permissions, caller.permissions))
      return
    if (noted.size >= MOST_REMEMBERED) noted.delete(noted.keys().next().value as string)
    noted.set(caller.subject, { at: now, permissions: caller.permissions })
    recordSeen(db, caller).catch((error: unknown) => {
      noted.delete(caller.subject)
      log.warn({ err: error }, 'who was here could not be noted')
    })
  }
}

function isSame(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return left === right || (left.size === right.size && [...left].every((code) => right.has(code)))
}
