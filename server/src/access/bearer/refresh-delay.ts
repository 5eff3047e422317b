const FIRST_RETRY_SECONDS = 1
const LONGEST_RETRY_SECONDS = 30
const SHORTEST_SHARE = 0.75
const JITTER_SHARE = 0.2

/**
 * Always less than the interval, so that a withdrawn key stops within it; spread, so that many
 * processes do not ask at once. After failures soon, then ever later.
 */
export function refreshDelaySeconds(
  refreshSeconds: number,
  faultsInARow: number,
  random: () => number = Math.random,
): number {
  const retry = FIRST_RETRY_SECONDS * 2 ** Math.min(faultsInARow - 1, 10)
  const base =
    faultsInARow === 0 ? refreshSeconds : Math.min(retry, LONGEST_RETRY_SECONDS, refreshSeconds)
  return base * (SHORTEST_SHARE + JITTER_SHARE * random())
}
