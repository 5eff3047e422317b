import { reportFailure } from './failure.ts'

/** Requests have 10 s to finish; whoever sends SIGTERM usually kills after 30 s. */
const LONGEST_STOP_MS = 25_000

let stopAsked: PromiseWithResolvers<void> | undefined

/** From now on a signal asks for a stop in order, also while the start is still under way. */
export function heedSignals(): Promise<void> {
  if (stopAsked !== undefined) return stopAsked.promise
  stopAsked = Promise.withResolvers()
  const { resolve } = stopAsked
  let signals = 0
  const onSignal = (): void => {
    signals += 1
    if (signals > 1) process.exit(1)
    resolve()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return stopAsked.promise
}

/** Runs until Ctrl-C or SIGTERM, then stops in order; a second signal does not wait. */
export async function untilStopped(stop: () => Promise<void>): Promise<void> {
  await heedSignals()
  const deadline = setTimeout(() => {
    reportFailure(
      new Error(`The stop took longer than ${LONGEST_STOP_MS / 1000} s; ended at once.`),
    )
    process.exit()
  }, LONGEST_STOP_MS)
  deadline.unref()
  await stop()
}
