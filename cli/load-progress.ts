import type { Writable } from 'node:stream'

export interface LoadProgress {
  /** Where this run took over. */
  readonly began: number
  readonly done: number
  readonly contracts: number
}

export interface ProgressDisplay {
  show(progress: LoadProgress): void
  /** Milliseconds since the first progress. */
  end(): number
}

interface Screen extends Writable {
  readonly isTTY?: boolean
}

const PLAIN_LINE_EVERY_MS = 5_000
const CLEAR_LINE = '\r\x1b[K'

/** One line that is written over on a terminal; now and then a line of its own elsewhere. */
export function progressDisplay(screen: Screen, clock: () => number): ProgressDisplay {
  let beganAt: number | undefined
  let saidAt = 0
  return {
    show(progress) {
      const now = clock()
      if (beganAt === undefined) {
        beganAt = now
        saidAt = now
      }
      if (progress.done >= progress.contracts) return
      const text = progressText(progress, now - beganAt)
      if (screen.isTTY) screen.write(`${CLEAR_LINE}${text}`)
      else if (now - saidAt >= PLAIN_LINE_EVERY_MS) {
        screen.write(`${text}\n`)
        saidAt = now
      }
    },
    end() {
      if (screen.isTTY && beganAt !== undefined) screen.write(CLEAR_LINE)
      return beganAt === undefined ? 0 : clock() - beganAt
    },
  }
}

/** `412,500 of 1,000,000 contracts, 9,800 a second, about 1 min left` */
export function progressText({ began, done, contracts }: LoadProgress, elapsedMs: number): string {
  const rate = rateOf(done - began, elapsedMs)
  const told = `${counted(done)} of ${counted(contracts)} contracts, ${counted(rate)} a second`
  if (rate === 0) return told
  return `${told}, about ${durationText((contracts - done) / rate)} left`
}

export function rateOf(loaded: number, elapsedMs: number): number {
  return elapsedMs > 0 ? Math.round((loaded * 1000) / elapsedMs) : 0
}

export function counted(count: number): string {
  return count.toLocaleString('en-US')
}

const MINUTE = 60
const HOUR = 60 * MINUTE

export function durationText(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${Math.max(1, Math.round(seconds))} s`
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`
  return `${Math.round(seconds / HOUR)} h`
}
