import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAnswer } from '../../test/client.ts'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { newPerson } from '../../test/samples.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import { rateLimiterOf } from './rate-limit.ts'

const READS = 3
const WRITES = 2

describe.each(['token', 'developer'] as const)('rates in %s mode', (mode) => {
  const { clock, step } = steppedClock(Date.now())
  let host: Host
  beforeAll(async () => {
    const env = { TFS_RATE_LIMIT_READS: String(READS), TFS_RATE_LIMIT_WRITES: String(WRITES) }
    host = await startHost({ mode, clock, env })
  })
  afterAll(() => host.close())

  /** As many as asked for, one after the other. */
  async function times(count: number, send: () => Promise<TestAnswer>): Promise<TestAnswer[]> {
    const answers: TestAnswer[] = []
    for (let i = 0; i < count; i++) answers.push(await send())
    return answers
  }
  const expectLimited = (answer: TestAnswer): void => {
    expectProblem(answer, 429, 'RATE_LIMITED')
    expect(answer.headers.get('retry-after')).toBe(String(answer.body.retryAfter))
    expect(answer.body.retryAfter).toBeGreaterThanOrEqual(1)
  }

  test('429 RATE_LIMITED with Retry-After beyond twice the rate, and again after a second (spec 8.1)', async () => {
    const ana = host.as('ana', { permissions: ['contract:read', 'my:read'], partyId: 'pty_any' })
    const burst = await times(READS, () => ana.get('/contracts'))
    burst.push(...(await times(READS, () => ana.get('/my/contracts'))))
    expect(burst.map(({ status }) => status)).toEqual(Array(2 * READS).fill(200))
    for (const path of ['/contracts', '/my/contracts', '/me', '/nothing'])
      expectLimited(await ana.get(path))
    expectLimited(await ana.send('GET', '/contracts?limit=none'))
    step(1)
    const refilled = await times(READS + 1, () => ana.get('/contracts'))
    expect(refilled.map(({ status }) => status)).toEqual([...Array(READS).fill(200), 429])
    step(60)
    const rested = await times(2 * READS + 1, () => ana.get('/contracts'))
    expect(rested.filter(({ status }) => status === 200)).toHaveLength(2 * READS)
  })

  test('writes have a limit of their own, and a refused write counts', async () => {
    const paul = host.as('paul', 'party:create', 'party:read')
    await times(WRITES, () => paul.post('/parties', newPerson()))
    await times(WRITES, () => paul.post('/parties', {}))
    expectLimited(await paul.post('/parties', newPerson()))
    expect((await paul.get('/parties')).status).toBe(200)
    expect((await paul.get('/parties')).body.items).toHaveLength(WRITES)
  })

  test('one subject does not use up another’s rate', async () => {
    const [eve, ben] = [host.as('eve', 'contract:read'), host.as('ben', 'contract:read')]
    await times(2 * READS, () => eve.get('/contracts'))
    expectLimited(await eve.get('/contracts'))
    expect((await ben.get('/contracts')).status).toBe(200)
  })

  test('the rate comes after the credentials and before the permission', async () => {
    const max = host.as('max')
    await times(2 * READS, () => max.get('/contracts'))
    expectLimited(await max.get('/contracts'))
    const strangers = await times(3 * READS, () => host.stranger.get('/contracts'))
    expect(new Set(strangers.map(({ code }) => code))).toEqual(new Set(['UNAUTHENTICATED']))
  })
})

test('0 switches a limit off and leaves the other on', async () => {
  const env = { TFS_RATE_LIMIT_READS: '0', TFS_RATE_LIMIT_WRITES: '1' }
  const { clock } = steppedClock()
  const host = await startHost({ clock, env })
  const ana = host.as('ana', 'contract:read', 'party:create')
  const reads = await Promise.all(Array.from({ length: 60 }, () => ana.get('/contracts')))
  expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
  for (const expected of [201, 201, 429])
    expect((await ana.post('/parties', newPerson())).status).toBe(expected)
  await host.close()
})

test('a clock that steps back takes nothing away, and subjects are remembered up to a bound', () => {
  const { clock, step } = steppedClock()
  const limit = rateLimiterOf(1, clock)
  limit('a')
  step(-100)
  limit('a')
  expect(() => limit('a')).toThrow(/Wait 1 s/)
  step(1)
  limit('a')
  for (let i = 0; i < 50_000; i++) limit(`other-${i}`)
  limit('a')
  limit('a')
})
