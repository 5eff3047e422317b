import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badTokens } from '../../../test/bad-tokens.ts'
import { answerOf, bearerFor, type TestBearer } from '../../../test/bearer.ts'
import { goodTokens, powerlessTokens } from '../../../test/good-tokens.ts'
import { startTestIssuer, type TestIssuer } from '../../../test/issuer.ts'
import { type SteppedClock, steppedClock } from '../../../test/stepped-clock.ts'
import { Problem } from '../../base/errors.ts'
import type { Caller } from '../caller.ts'
import { createBearer } from './bearer.ts'

let time: SteppedClock
let issuer: TestIssuer
let bearer: TestBearer

beforeAll(async () => {
  time = steppedClock()
  issuer = await startTestIssuer({ clock: time.clock })
  bearer = bearerFor(issuer, { clock: time.clock })
  await bearer.start()
})

afterAll(async () => {
  bearer.stop()
  await issuer.stop()
})

async function problemOf(token: string): Promise<Problem> {
  const answer = await answerOf(bearer, token)
  expect(answer).toBeInstanceOf(Problem)
  return answer as Problem
}

/** Twice in a row: what a cache says must be what the check says (security rule 6). */
async function twice(token: string): Promise<readonly [Caller | Problem, Caller | Problem]> {
  return [await answerOf(bearer, token), await answerOf(bearer, token)]
}

describe('bad tokens', () => {
  test('the table has no name twice and covers more than 60 classes', () => {
    expect(new Set(badTokens.map(({ name }) => name)).size).toBe(badTokens.length)
    expect(badTokens.length).toBeGreaterThan(60)
  })

  test.each(badTokens)('$code for $name, and again', async ({ code, reason, make }) => {
    const token = await make(issuer)
    const before = { cacheSize: bearer.state().cacheSize, refusals: bearer.refusals.length }
    const [first, second] = (await twice(token)) as [Problem, Problem]
    expect(first).toBeInstanceOf(Problem)
    expect([first.code, bearer.refusals.at(-1)?.reason]).toEqual([code, reason])
    expect(second).toBeInstanceOf(Problem)
    expect([second.code, second.detail, second.headers]).toEqual([
      first.code,
      first.detail,
      first.headers,
    ])
    expect(bearer.state().cacheSize).toBe(before.cacheSize)
    expect(bearer.refusals.length).toBe(before.refusals + 2)
  })

  test('a refusal and its record hold nothing of the token', async () => {
    const secret = 'Zq8-secret-claim'
    const token = issuer.token({ aud: secret, sub: secret, azp: secret })
    const problem = await problemOf(token)
    const shown = JSON.stringify([problem.detail, problem.members, problem.headers])
    const recorded = JSON.stringify([bearer.refusals, bearer.logged])
    for (const text of [shown, recorded]) {
      expect(text).not.toContain(secret)
      for (const part of token.split('.')) expect(text).not.toContain(part)
    }
    expect(bearer.refusals.at(-1)).toEqual({
      code: 'TOKEN_INVALID',
      reason: 'AUDIENCE',
      detail: problem.detail,
    })
  })

  test('401 carries the challenge of RFC 6750 with a description it can carry', async () => {
    for (const { code, make } of badTokens.filter((row) => row.code.startsWith('TOKEN_'))) {
      const problem = await problemOf(await make(issuer))
      const challenge = problem.headers['www-authenticate']
      expect([code, problem.status]).toEqual([problem.code, 401])
      expect(challenge).toMatch(
        /^Bearer realm="tfs", error="invalid_token", error_description="[ !#-[\]-~]+"$/,
      )
    }
  })

  test('401 without sub names the client scope basic of Keycloak', async () => {
    const { detail } = await problemOf(issuer.token({ sub: undefined }))
    expect(detail).toContain('Keycloak')
    expect(detail).toContain('`basic`')
  })

  test('403 for a malformed partyId says that the claim is malformed', async () => {
    const problem = await problemOf(issuer.token({ partyId: ['a', 'b'] }))
    expect([problem.status, problem.headers]).toEqual([403, {}])
    expect(problem.detail).toContain('partyId claim is malformed')
  })

  test('401 for a malformed partyId in an expired token: who calls comes first', async () => {
    const now = issuer.now()
    const token = issuer.token({ partyId: 1, iat: now - 900, exp: now - 600 })
    expect((await problemOf(token)).code).toBe('TOKEN_EXPIRED')
  })

  test('401 without a word about expiry when an expired token is also forged', async () => {
    const now = issuer.now()
    const token = issuer.token({ iat: now - 900, exp: now - 600 })
    const forged = `${token.slice(0, -10)}${'A'.repeat(10)}`
    expect((await problemOf(forged)).code).toBe('TOKEN_INVALID')
  })
})

describe('good tokens', () => {
  test.each(goodTokens)('accepted: $name, and again the same', async ({ make }) => {
    const [first, second] = await twice(make(issuer))
    expect(first).not.toBeInstanceOf(Problem)
    expect(second).toBe(first)
  })

  test.each(powerlessTokens)('accepted without a permission: $name', async ({ make }) => {
    const [first, second] = (await twice(make(issuer))) as [Caller, Caller]
    expect(first).not.toBeInstanceOf(Problem)
    expect([...first.permissions]).toEqual([])
    expect(second).toBe(first)
  })

  test('exactly 8 KiB are accepted', async () => {
    const sized = (padding: number) => issuer.token({ jti: 'x', padding: 'x'.repeat(padding) })
    let padding = 0
    while (sized(padding + 1).length <= 8192) padding += 1
    expect(sized(padding).length).toBeGreaterThan(8190)
    expect(await answerOf(bearer, sized(padding))).not.toBeInstanceOf(Problem)
  })

  test('a verified token is answered at once, without a promise', async () => {
    const token = issuer.token()
    const first = bearer.identify(token)
    expect(first).toBeInstanceOf(Promise)
    const caller = await first
    const { hits } = bearer.state()
    expect(bearer.identify(token)).toBe(caller)
    expect(bearer.state().hits).toBe(hits + 1)
  })
})

describe('a cached token', () => {
  test('expires like any other, at the same second', async () => {
    const token = issuer.token()
    await bearer.identify(token)
    time.step(309.9)
    expect(bearer.identify(token)).not.toBeInstanceOf(Promise)
    time.step(0.1)
    expect(() => bearer.identify(token)).toThrow('expired')
    expect((await problemOf(token)).code).toBe('TOKEN_EXPIRED')
  })

  test('is refused again when the clock goes back before its nbf and its iat', async () => {
    const fromNbf = issuer.token({ nbf: issuer.now() })
    const fromIat = issuer.token()
    const fresh = issuer.token()
    await bearer.identify(fromNbf)
    await bearer.identify(fromIat)
    time.step(-11)
    for (const token of [fromNbf, fromIat, fresh]) {
      const problem = await problemOf(token)
      expect([problem.code, problem.detail.includes('not valid yet')]).toEqual([
        'TOKEN_INVALID',
        true,
      ])
    }
    time.step(11)
    expect(bearer.identify(fromNbf)).not.toBeInstanceOf(Promise)
  })
})

test('401 when a key signs with another algorithm than its own, accepted as both are', async () => {
  const algorithms = ['RS256', 'RS512']
  const own = bearerFor(issuer, { clock: time.clock, algorithms })
  const row = badTokens.find(({ name }) => name === 'RS512 by our key, truly')
  expect(await answerOf(own, issuer.token())).not.toBeInstanceOf(Problem)
  expect(await answerOf(own, (await row?.make(issuer)) ?? '')).toMatchObject({
    code: 'TOKEN_INVALID',
    reason: 'ALGORITHM',
  })
})

test('symmetric algorithms cannot be configured', () => {
  for (const algorithms of [['HS256'], ['RS256', 'none'], []]) {
    expect(() => bearerFor(issuer, { clock: time.clock, algorithms })).toThrow(TypeError)
  }
})

test('a failing recorder does not turn a refusal into a fault', async () => {
  const logged: unknown[] = []
  const own = createBearer({
    issuer: issuer.issuer,
    audience: 'tfs-core-api',
    maxTokenLifeSeconds: 300,
    isKnown: () => true,
    clock: time.clock,
    log: { info: () => {}, warn: () => {}, error: (_, text) => logged.push(text) },
    onSecurityEvent: () => {
      throw new Error('the log is full')
    },
  })
  expect(await answerOf(own, 'x')).toMatchObject({ code: 'TOKEN_INVALID' })
  expect(logged).toEqual(['A refused token could not be recorded.'])
})
