import type { Problem } from '../base/errors.ts'
import type { Log } from '../http/kernel.ts'
import { instanceOf } from '../http/problem.ts'

const MOST_LINES_PER_SECOND = 20
/** Someone may put a token into the path. */
const TOKEN = /eyJ[\w-]{10,}(?:\.[\w-]*)*/g

export interface SecurityEvent {
  readonly problem: Problem
  readonly requestId: string
  readonly method: string | undefined
  readonly url: string | undefined
  readonly remoteAddress: string | undefined
}

/**
 * Refusals before identity: one line each, without the token, and a count. A stranger must not fill
 * the disk, so beyond a rate lines are dropped and the number dropped is told.
 */
export function securityLogOf(log: Log, count: (code: string) => void, clock: () => number) {
  let second = 0
  let lines = 0
  let dropped = 0
  return (event: SecurityEvent): void => {
    count(event.problem.code)
    const now = Math.floor(clock() / 1000)
    if (now !== second) {
      if (dropped > 0) log.warn({ dropped }, 'security events beyond the rate were only counted')
      second = now
      lines = 0
      dropped = 0
    }
    lines += 1
    if (lines > MOST_LINES_PER_SECOND) {
      dropped += 1
      return
    }
    log.warn(
      {
        security: event.problem.code,
        requestId: event.requestId,
        method: event.method,
        path: instanceOf(event.url).replace(TOKEN, '…'),
        remoteAddress: event.remoteAddress,
      },
      'refused',
    )
  }
}
