import type { Clock } from '../../base/clock.ts'

const DEMAND_WINDOW_MS = 30_000

/** Security rule 7: unknown keys start a fetch at most once per window, failures counted too. */
export interface DemandWindow {
  /** Zero when a fetch may be started. */
  leftMs(): number
  begin(): void
}

export function createDemandWindow(clock: Clock): DemandWindow {
  let begunAt: number | undefined
  return {
    leftMs() {
      if (begunAt === undefined) return 0
      const elapsed = clock() - begunAt
      // A clock that was set back must not keep the window closed for longer.
      return elapsed < 0 ? 0 : Math.max(0, DEMAND_WINDOW_MS - elapsed)
    },
    begin() {
      begunAt = clock()
    },
  }
}
