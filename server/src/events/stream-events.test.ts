import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { createSequencer, type Sequencer } from '../audit-trail/index.ts'
import { chainAll, testLog, work } from '../audit-trail/test/trail.ts'
import { listen } from '../http/listener.ts'
import { MOST_STREAMS_OF_SUBJECT } from '../http/stream.ts'
import { type Listening, listenTo, type Message } from './test/listener.ts'

const LIFE_SECONDS = 300

describe.each(STORE_KINDS)('GET /events/stream on %s', (store) => {
  let host: Host
  let sequencer: Sequencer
  let now = Date.now()
  const open: Listening[] = []
  beforeAll(async () => {
    host = await startHost({ store, mode: 'token', clock: () => now })
    sequencer = createSequencer({ db: host.db, log: testLog() })
  })
  afterEach(async () => {
    for (const listening of open.splice(0)) await listening.close()
  })
  afterAll(() => host.close())

  const path = '/api/v1/events/stream'
  const headersOf = (username = 'ivan'): Record<string, string> =>
    host.headersOf(username, { permissions: ['event:read'] })
  async function listening(
    query = '',
    headers: Record<string, string> = {},
    base = host.baseUrl,
  ): Promise<Listening> {
    const made = await listenTo(base + path + query, { ...headersOf(), ...headers })
    open.push(made)
    return made
  }
  async function happened(...ids: string[]): Promise<void> {
    for (const id of ids) await work(host.db, id)
    await chainAll(host.db, sequencer)
  }
  const subjectsOf = (messages: readonly Message[]) => messages.map(({ data }) => data.subject)

  test('200 with each event as it comes, from now on (platform 9)', async () => {
    await happened('long ago')
    const stream = await listening()
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers.get('cache-control')).toBe('no-store')
    await happened('a', 'b')
    const [first, second] = await stream.events(2)
    expect(subjectsOf(stream.messages.slice(1))).toEqual(['a', 'b'])
    expect(first).toMatchObject({ event: 'contract.tried', data: { specversion: '1.0' } })
    expect(Number(second?.id)).toBe(Number(first?.id) + 1)
    expect(second?.data.sequence).toBe(second?.id?.padStart(16, '0'))
  })

  test('200 goes on behind Last-Event-ID without a gap, which goes before `after` (platform 9)', async () => {
    const before = await listening()
    await happened('c', 'd')
    const [first] = await before.events(2)
    await before.close()
    await happened('e')
    const again = await listening('?after=0', { 'last-event-id': first?.id as string })
    expect(subjectsOf(await again.events(2))).toEqual(['d', 'e'])
    await happened('f')
    expect(subjectsOf(await again.events(3))).toEqual(['d', 'e', 'f'])
  })

  test('200 from a place on: all of the past, then what comes (platform 9)', async () => {
    const many = Array.from({ length: 230 }, (_, n) => `many-${n}`)
    await happened(...many)
    const stream = await listening('?after=0')
    const all = await stream.events(230)
    expect(all.map(({ id }) => Number(id))).toEqual(all.map((_, index) => index + 1))
  })

  test('400 VALIDATION_FAILED for a Last-Event-ID that is none of ours (platform 7)', async () => {
    for (const id of ['x', '-1', '1e3', '9'.repeat(16)]) {
      const answer = await host
        .as('ivan', 'event:read')
        .get('/events/stream', { 'last-event-id': id })
      expect(answer, id).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    }
  })

  test('a quiet stream says that it is there (platform 9)', async () => {
    const stream = await listening()
    now += 16_000
    await expect
      .poll(() => stream.messages.at(-1), { timeout: 5_000 })
      .toEqual({ comment: 'still here' })
  })

  test('ends at the end of the token, and says so (platform 9)', async () => {
    const stream = await listening()
    now += (LIFE_SECONDS - 1) * 1000
    await happened('just before')
    await stream.events(1)
    expect(stream.hasEnded).toBe(false)
    now += 1_000
    await stream.ended()
    expect(stream.messages.at(-1)).toEqual({
      event: 'stream.ended',
      data: { code: 'TOKEN_EXPIRED' },
    })
  })

  test(`429 RATE_LIMITED for more than ${MOST_STREAMS_OF_SUBJECT} streams of one subject; a closed one makes room (platform 9)`, async () => {
    const own = []
    for (let n = 0; n < MOST_STREAMS_OF_SUBJECT; n++) own.push(await listening())
    const refused = await host.as('ivan', 'event:read').get('/events/stream')
    expect(refused).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    expect(refused.headers.get('retry-after')).toBe('5')
    const other = await listening('', headersOf('olga'))
    expect(other.status).toBe(200)
    await own[0]?.close()
    await expect
      .poll(async () => {
        const again = await listening()
        return again.status
      })
      .toBe(200)
  })

  test('the time to answer does not cut it off (platform 8)', async () => {
    const impatient = await listen(['127.0.0.1'], 0, host.app.handle, { answerMs: 150 })
    const stream = await listening('', {}, `http://127.0.0.1:${impatient.port}`)
    await sleep(600)
    expect(stream.hasEnded).toBe(false)
    await happened('late')
    expect(subjectsOf(await stream.events(1))).toEqual(['late'])
    await stream.close()
    await impatient.close(0)
  })

  test('HEAD answers with the headers alone (platform 8)', async () => {
    const answer = await host.as('ivan', 'event:read').send('HEAD', '/events/stream')
    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  })

  test('a stop of the process ends it in order, without waiting (rule 18)', async () => {
    const stream = await listening()
    host.app.drain()
    await stream.ended()
    expect(stream.messages).toHaveLength(1)
  })
})
