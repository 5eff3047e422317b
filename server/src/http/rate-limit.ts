import type { Clock } from '../base/clock.ts'
import { httpErrors } from './errors.ts'

const MOST_SUBJECTS = 50_000
const BURST_FACTOR = 2

interface Bucket {
  tokens: number
  filledAt: number
}

export type RateLimiter = (subject: string) => void

/** A token bucket per subject and process; `perSecond` 0 switches it off. */
export function rateLimiterOf(perSecond: number, clock: Clock): RateLimiter {
  if (perSecond === 0) return () => {}
  const burst = perSecond * BURST_FACTOR
  const buckets = new Map<string, Bucket>()
  return (subject) => {
    const now = clock()
    let bucket = buckets.get(subject)
    if (bucket === undefined) {
      if (buckets.size >= MOST_SUBJECTS) buckets.delete(buckets.keys().next().value as string)
      bucket = { tokens: burst, filledAt: now }
      buckets.set(subject, bucket)
    }
    // A clock that steps back must not take tokens away.
    const elapsedSeconds = Math.max(0, now - bucket.filledAt) / 1000
    bucket.tokens = Math.min(burst, bucket.tokens + elapsedSeconds * perSecond)
    bucket.filledAt = now
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1
      return
    }
    const retryAfter = Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond))
    throw httpErrors.RATE_LIMITED(
      `You may send ${perSecond} such requests a second, ${burst} in a burst. Wait ${retryAfter} s.`,
      { retryAfter },
      { 'retry-after': String(retryAfter) },
    )
  }
}
