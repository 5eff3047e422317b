import { unavailable } from './failures.ts'
import type { Session } from './session.ts'
import type { PoolState } from './tx.ts'

/** Connections that are lent out whole, one borrower at a time, with a bounded line before them. */
export interface Lanes {
  lend<T>(work: (session: Session) => Promise<T>): Promise<T>
  state(): PoolState
  /** Refuses newcomers, lets the lent ones finish, closes. */
  close(): Promise<void>
}

export interface LanesOptions {
  readonly size: number
  readonly open: () => Session
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

interface Waiting {
  readonly admit: (session: Session) => void
  readonly refuse: (reason: unknown) => void
  readonly timer: NodeJS.Timeout
}

export function openLanes(options: LanesOptions): Lanes {
  const idle: Session[] = []
  const line = new Set<Waiting>()
  let busy = 0
  let closing: PromiseWithResolvers<void> | undefined

  function take(): Session {
    let session = idle.pop()
    while (session?.isLost()) session = idle.pop()
    session ??= options.open()
    busy++
    return session
  }

  function giveBack(session: Session): void {
    busy--
    if (!session.isLost()) idle.push(session)
    for (const first of line) {
      line.delete(first)
      clearTimeout(first.timer)
      first.admit(take())
      return
    }
    if (busy === 0) closing?.resolve()
  }

  function wait(): Promise<Session> {
    if (line.size >= options.maxWaiting) {
      throw unavailable('Too much work waits for the database.')
    }
    return new Promise((admit, refuse) => {
      const timer = setTimeout(() => {
        line.delete(waiting)
        refuse(unavailable('The work waited too long for the database.'))
      }, options.maxWaitMs)
      const waiting: Waiting = { admit, refuse, timer }
      line.add(waiting)
    })
  }

  return {
    async lend(work) {
      if (closing !== undefined) throw unavailable('The database is being closed.')
      const session = busy < options.size ? take() : await wait()
      try {
        return await work(session)
      } finally {
        giveBack(session)
      }
    },

    state: () => ({ size: options.size, busy, waiting: line.size }),

    async close() {
      if (closing !== undefined) return closing.promise
      closing = Promise.withResolvers()
      if (busy === 0) closing.resolve()
      await closing.promise
      await Promise.all(idle.splice(0).map((session) => session.close()))
    },
  }
}
