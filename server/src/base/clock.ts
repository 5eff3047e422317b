/** Time as a parameter, so that tests can step it. Milliseconds since the epoch. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

export function secondsOf(clock: Clock): number {
  return Math.floor(clock() / 1000)
}
