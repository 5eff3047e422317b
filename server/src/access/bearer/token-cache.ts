import type { VerifiedToken } from './claims.ts'

export const TOKEN_CACHE_ENTRIES = 10_000

export interface CachedToken extends VerifiedToken {
  readonly kid: string
}

/** Verified tokens by the SHA-256 of the whole token (security rule 6). Refusals never enter. */
export interface TokenCache {
  find(digest: string): CachedToken | undefined
  keep(digest: string, token: CachedToken): void
  forget(digest: string): void
  clear(): void
  readonly size: number
}

/**
 * Two generations: what is found in the older one moves to the younger; when the younger is full the
 * older is dropped whole. Bounded and close to "least recently used" without a list to maintain.
 */
export function createTokenCache(maxEntries: number = TOKEN_CACHE_ENTRIES): TokenCache {
  const generationSize = Math.max(1, Math.floor(maxEntries / 2))
  let young = new Map<string, CachedToken>()
  let old = new Map<string, CachedToken>()

  function keep(digest: string, token: CachedToken): void {
    if (young.size >= generationSize && !young.has(digest)) {
      old = young
      young = new Map()
    }
    young.set(digest, token)
    old.delete(digest)
  }

  return {
    find(digest) {
      const token = young.get(digest)
      if (token !== undefined) return token
      const older = old.get(digest)
      if (older !== undefined) keep(digest, older)
      return older
    },
    keep,
    forget(digest) {
      young.delete(digest)
      old.delete(digest)
    },
    clear() {
      young = new Map()
      old = new Map()
    },
    get size() {
      return young.size + old.size
    },
  }
}
