import type { IncomingMessage } from 'node:http'
import type { Caller } from '../access/caller.ts'
import type { Calendar } from '../base/calendar.ts'
import type { Clock } from '../base/clock.ts'
import type { Db } from '../storage/tx.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Accessed } from './route.ts'

/** What both surfaces are built from: the same rules in the same order. */
export interface Kernel {
  readonly db: Db
  readonly clock: Clock
  readonly calendar: Calendar
  /** Synchronous where nothing has to be waited for: a known token costs no turn of the loop. */
  readonly identify: (request: IncomingMessage) => Caller | Promise<Caller>
  readonly limitReads: RateLimiter
  readonly limitWrites: RateLimiter
  readonly log: Log
  /** Told of each read of one party's or one contract's details by staff. */
  readonly noteAccess?: (access: StaffAccess) => void
  /** Told of every caller that was let in. */
  readonly noteSeen?: (caller: Caller) => void
  /** Aborted when the process begins to stop: streams end by themselves. */
  readonly stopping?: AbortSignal
}

export interface StaffAccess {
  readonly item: Accessed
  readonly caller: Caller
  readonly routeId: string
  readonly requestId: string
}

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
