import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerOf, bearerFor, codeOf, type TestBearer } from '../../../test/bearer.ts'
import { startTestIssuer, type TestIssuer } from '../../../test/issuer.ts'
import { GARBAGE, type Misbehaviour } from '../../../test/issuer-misbehaviour.ts'
import { type SteppedClock, steppedClock } from '../../../test/stepped-clock.ts'
import type { Problem } from '../../base/errors.ts'
import { createKeySet, type KeySet, type KeySetOptions } from './key-set.ts'

const DAY = 86_400
const PATIENCE = { timeout: 10_000 }
const LONG_LIFE = { maxTokenLifeSeconds: 10 * DAY }

/** Short where the provider is known not to answer, else as in earnest. */
const timeoutFor = (how: Misbehaviour) => (how === 'hang' || how === 'endless' ? 1000 : undefined)

let time: SteppedClock
let issuer: TestIssuer
let bearer: TestBearer

beforeEach(async () => {
  time = steppedClock()
  issuer = await startTestIssuer({ clock: time.clock })
  bearer = bearerFor(issuer, { clock: time.clock, ...LONG_LIFE })
})

afterEach(async () => {
  bearer.stop()
  await issuer.stop()
})

/** Valid for days, so that only the keys decide. */
const lasting = (): string => issuer.token({ exp: issuer.now() + 9 * DAY })
const strange = (): string => issuer.token({}, { kid: 'strange' })

/** The scheduled refresh, at the moment of the test's choice. */
function keySetOf(own: Partial<KeySetOptions> = {}): KeySet {
  const quiet = () => {}
  return createKeySet({
    issuer: issuer.issuer,
    algorithms: new Set(['RS256']),
    refreshSeconds: 300,
    clock: time.clock,
    log: { info: quiet, warn: quiet, error: quiet },
    onChange: quiet,
    ...own,
  })
}

describe('an unknown kid', () => {
  test('1,000 callers at once start one fetch, and all learn 401', async () => {
    await bearer.start()
    const tokens = Array.from({ length: 1000 }, strange)
    const codes = await Promise.all(tokens.map((token) => codeOf(bearer, token)))
    expect(new Set(codes)).toEqual(new Set(['TOKEN_INVALID']))
    expect(issuer.requests).toEqual({ discovery: 2, keys: 2, elsewhere: 0 })
  })

  test('1,000 callers at once start one fetch, and all are served when it brings the key', async () => {
    await bearer.start()
    await issuer.rotate()
    const token = lasting()
    const answers = await Promise.all(Array.from({ length: 1000 }, () => codeOf(bearer, token)))
    expect(new Set(answers)).toEqual(new Set(['ACCEPTED']))
    expect(issuer.requests.keys).toBe(2)
  })

  test('before the first fetch: the request fetches the keys itself', async () => {
    expect(await codeOf(bearer, lasting())).toBe('ACCEPTED')
    expect(issuer.requests.keys).toBe(1)
  })

  test('starts no second fetch within 30 s, and a third after', async () => {
    await bearer.start()
    for (let second = 0; second < 30; second++) {
      expect(await codeOf(bearer, strange())).toBe('TOKEN_INVALID')
      time.step(1)
    }
    expect(issuer.requests.keys).toBe(2)
    expect(await codeOf(bearer, strange())).toBe('TOKEN_INVALID')
    expect(issuer.requests.keys).toBe(3)
  })

  test('503 within 30 s of a failed fetch, without a second one; Retry-After counts down', async () => {
    await bearer.start()
    issuer.misbehave('error')
    const problem = (await answerOf(bearer, strange())) as Problem
    expect([problem.status, problem.code]).toEqual([503, 'IDENTITY_PROVIDER_UNAVAILABLE'])
    expect(problem.headers).toEqual({ 'retry-after': '30' })
    time.step(20)
    const again = (await answerOf(bearer, strange())) as Problem
    expect([again.code, again.headers['retry-after']]).toEqual([problem.code, '10'])
    expect(issuer.requests.keys).toBe(2)
    issuer.misbehave()
    time.step(10)
    expect(await codeOf(bearer, strange())).toBe('TOKEN_INVALID')
    expect(issuer.requests.keys).toBe(3)
  })

  test('scheduled fetches do not count, and decide between 401 and 503', async () => {
    const keySet = keySetOf()
    issuer.misbehave('down')
    await keySet.refresh()
    await expect(keySet.requireKey('strange')).rejects.toMatchObject({ status: 503 })
    issuer.misbehave()
    await keySet.refresh()
    await expect(keySet.requireKey('strange')).rejects.toMatchObject({ status: 401 })
    issuer.misbehave('down')
    await keySet.refresh()
    await expect(keySet.requireKey('strange')).rejects.toMatchObject({ status: 503 })
    expect(issuer.requests.keys).toBe(1)
  })

  test('waits for the fetch under way, then starts its own: that one may have been too early', async () => {
    const keySet = keySetOf()
    const early = keySet.refresh()
    const kids = Array.from({ length: 100 }, (_, index) => `strange-${index}`)
    const refusals = await Promise.allSettled(kids.map((kid) => keySet.requireKey(kid)))
    await early
    expect(refusals.every(({ status }) => status === 'rejected')).toBe(true)
    expect(issuer.requests.keys).toBe(2)
  })

  test('503 with the fetch under way when that fails, without one of its own', async () => {
    const keySet = keySetOf()
    issuer.misbehave('down')
    const scheduled = keySet.refresh()
    await expect(keySet.requireKey('strange')).rejects.toMatchObject({ status: 503 })
    await scheduled
    expect(issuer.requests.discovery).toBe(1)
  })

  test('a clock that is set back does not close the window for longer', async () => {
    await bearer.start()
    await codeOf(bearer, strange())
    await issuer.rotate()
    time.step(-3600)
    expect(await codeOf(bearer, lasting())).toBe('ACCEPTED')
  })
})

describe('rotation', () => {
  test('a key that goes while a signature is checked is not used any more', async () => {
    await bearer.start()
    issuer.misbehave('down')
    const underWay = codeOf(bearer, lasting())
    time.step(DAY + 1)
    expect(await underWay).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
    expect(bearer.state().cacheSize).toBe(0)
  })

  test('no user notices: the new key is fetched, the old one goes on', async () => {
    await bearer.start()
    const old = lasting()
    expect(await codeOf(bearer, old)).toBe('ACCEPTED')
    await issuer.rotate()
    expect(await codeOf(bearer, lasting())).toBe('ACCEPTED')
    expect(await codeOf(bearer, old)).toBe('ACCEPTED')
  })

  test('a withdrawn key stops with the next refresh, cached tokens too', async () => {
    const timed = bearerFor(issuer, { clock: time.clock, ...LONG_LIFE, refreshSeconds: 0.05 })
    await timed.start()
    const token = lasting()
    const { kid } = issuer.key()
    await timed.identify(token)
    expect(timed.identify(token)).not.toBeInstanceOf(Promise)
    await issuer.rotate()
    await vi.waitFor(() => expect(timed.state().keyCount).toBe(2), PATIENCE)
    expect(timed.state().cacheSize).toBe(0)
    await timed.identify(token)
    issuer.withdraw(kid)
    await vi.waitFor(() => expect(timed.state().keyCount).toBe(1), PATIENCE)
    expect(await codeOf(timed, token)).toBe('TOKEN_INVALID')
    expect(await codeOf(timed, token)).toBe('TOKEN_INVALID')
    timed.stop()
  })

  test('another key under the same kid: the old tokens stop, cached too', async () => {
    const timed = bearerFor(issuer, { clock: time.clock, ...LONG_LIFE, refreshSeconds: 0.05 })
    await timed.start()
    const token = lasting()
    const { kid } = issuer.key()
    await timed.identify(token)
    const other = await issuer.rotate()
    issuer.withdraw(kid)
    issuer.withdraw(other.kid)
    issuer.publish({ ...other.jwk, kid })
    await vi.waitFor(() => expect(timed.state().cacheSize).toBe(0), PATIENCE)
    expect(await codeOf(timed, token)).toBe('TOKEN_INVALID')
    timed.stop()
  })

  test('an unchanged set changes nothing, a key that came or went does', async () => {
    const onChange = vi.fn()
    const keySet = keySetOf({ onChange })
    await keySet.refresh()
    const first = keySet.keyOf(issuer.key().kid)
    await keySet.refresh()
    expect(onChange).toHaveBeenCalledTimes(1)
    const old = issuer.key().kid
    await issuer.rotate()
    await keySet.refresh()
    expect([onChange.mock.calls.length, keySet.keyOf(old)]).toEqual([2, first])
    issuer.withdraw(old)
    await keySet.refresh()
    expect([onChange.mock.calls.length, keySet.keyOf(old)]).toEqual([3, undefined])
  })
})

describe('a provider that is away or talks nonsense', () => {
  test.each(GARBAGE)('%s keeps the last good set: known keys are served', async (how) => {
    const keySet = keySetOf({ fetchTimeoutMs: timeoutFor(how) })
    await keySet.refresh()
    issuer.misbehave(how)
    await keySet.refresh()
    const { isLoaded, lastFault } = keySet.state()
    expect([isLoaded, lastFault?.kind]).toEqual([
      true,
      expect.stringMatching(/GARBAGE|UNREACHABLE/),
    ])
    await expect(keySet.requireKey(issuer.key().kid)).resolves.toBeDefined()
    await expect(keySet.requireKey('strange')).rejects.toMatchObject({
      code: 'IDENTITY_PROVIDER_UNAVAILABLE',
    })
    expect(issuer.requests.elsewhere).toBe(0)
  })

  test.each(['huge', 'flood'] as const)('%s is cut off, not waited for', async (how) => {
    issuer.misbehave(how)
    const keySet = keySetOf()
    await keySet.refresh()
    expect(keySet.state().lastFault?.message).toContain('more than 262144 bytes')
  })

  test.each(GARBAGE)('%s at cold start: 503, not ready, and recovers', async (how) => {
    const cold = bearerFor(issuer, { clock: time.clock, fetchTimeoutMs: timeoutFor(how) })
    issuer.misbehave(how)
    await cold.start()
    expect(cold.state()).toMatchObject({ isReady: false, keyCount: 0 })
    expect(cold.state().lastError).toBeTypeOf('string')
    expect(await codeOf(cold, issuer.token())).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
    issuer.misbehave()
    time.step(30)
    expect(await codeOf(cold, issuer.token())).toBe('ACCEPTED')
    expect(cold.state()).toMatchObject({ isReady: true, lastError: undefined })
    cold.stop()
  })

  test('recovers from a cold start by itself, without a single request', async () => {
    issuer.misbehave('down')
    await bearer.start()
    expect(bearer.state().isReady).toBe(false)
    issuer.misbehave()
    await vi.waitFor(() => expect(bearer.state().isReady).toBe(true), PATIENCE)
  })

  test('the last good set is kept for 24 h and not longer, for cached tokens too', async () => {
    await bearer.start()
    const known = lasting()
    await bearer.identify(known)
    const fresh = lasting()
    issuer.misbehave('down')
    time.step(DAY)
    expect(await codeOf(bearer, known)).toBe('ACCEPTED')
    expect(await codeOf(bearer, fresh)).toBe('ACCEPTED')
    expect(bearer.state()).toMatchObject({ isReady: true, secondsSinceSuccess: DAY })
    time.step(1)
    expect(await codeOf(bearer, known)).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
    expect(await codeOf(bearer, fresh)).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
    expect(bearer.state().isReady).toBe(false)
    issuer.misbehave()
    time.step(30)
    expect(await codeOf(bearer, known)).toBe('ACCEPTED')
  })

  test('the same fault is logged once, not at every attempt', async () => {
    issuer.misbehave('error')
    await bearer.start()
    for (let attempt = 0; attempt < 3; attempt++) {
      time.step(31)
      await codeOf(bearer, strange())
    }
    expect(bearer.logged.filter((line) => line.includes('cannot be fetched'))).toHaveLength(1)
  })

  test('503 after the stop, at once', async () => {
    bearer.stop()
    expect(await codeOf(bearer, lasting())).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
    expect(issuer.requests.discovery).toBe(0)
  })

  test('a fetch under way ends with the stop', async () => {
    issuer.misbehave('hang')
    const patient = bearerFor(issuer, { clock: time.clock, fetchTimeoutMs: 60_000 })
    const started = patient.start()
    await vi.waitFor(() => expect(issuer.requests.discovery).toBe(1), PATIENCE)
    patient.stop()
    await started
    expect(patient.state().lastError).toContain('stopped')
  })
})

describe('another issuer in the discovery document', () => {
  test('503 for every token, known and cached ones too, and not ready; then it recovers', async () => {
    const timed = bearerFor(issuer, { clock: time.clock, ...LONG_LIFE, refreshSeconds: 0.05 })
    await timed.start()
    const token = lasting()
    await timed.identify(token)
    issuer.misbehave('wrong-issuer')
    await vi.waitFor(() => expect(timed.state().isWrongIssuer).toBe(true), PATIENCE)
    expect(timed.state()).toMatchObject({ isReady: false, cacheSize: 0 })
    const problem = (await answerOf(timed, token)) as Problem
    expect([problem.status, problem.detail.includes('OIDC_ISSUER')]).toEqual([503, true])
    issuer.misbehave()
    await vi.waitFor(() => expect(timed.state().isReady).toBe(true), PATIENCE)
    expect(await codeOf(timed, token)).toBe('ACCEPTED')
    timed.stop()
  })

  test('the keys of the other issuer are not even asked for', async () => {
    issuer.misbehave('wrong-issuer')
    await bearer.start()
    expect(issuer.requests.keys).toBe(0)
    expect(bearer.logged.join()).toContain('OIDC_ISSUER and discovery do not agree.')
  })
})
