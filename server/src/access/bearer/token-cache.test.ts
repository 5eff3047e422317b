import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CachedToken, createTokenCache } from './token-cache.ts'

function entry(name: string): CachedToken {
  const caller = {
    subject: name,
    username: name,
    human: true,
    permissions: new Set<string>(),
    mode: 'token' as const,
  }
  return { caller, kid: 'k', expiresAt: 0, validFrom: 0, validUntil: 0 }
}

describe('the cache of verified tokens', () => {
  test('never holds more than its bound and never gives what was not put in', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 200 }), (uses) => {
        const cache = createTokenCache(10)
        for (const use of uses) {
          const name = String(use)
          const found = cache.find(name)
          if (found === undefined) cache.keep(name, entry(name))
          else expect(found.caller.subject).toBe(name)
          expect(cache.find(name)?.caller.subject).toBe(name)
          expect(cache.size).toBeLessThanOrEqual(10)
        }
      }),
    )
  })

  test('keeps what is used while others pass through', () => {
    const cache = createTokenCache(10)
    cache.keep('daily', entry('daily'))
    for (let index = 0; index < 1000; index++) {
      cache.keep(String(index), entry(String(index)))
      expect(cache.find('daily')).toBeDefined()
    }
    expect(cache.find('0')).toBeUndefined()
  })

  test('forgets one, in either generation, and all', () => {
    const cache = createTokenCache(4)
    for (const name of ['a', 'b', 'c']) cache.keep(name, entry(name))
    cache.forget('a')
    cache.forget('c')
    expect([cache.find('a'), cache.find('c'), cache.size]).toEqual([undefined, undefined, 1])
    cache.clear()
    expect([cache.find('b'), cache.size]).toEqual([undefined, 0])
  })
})
