import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { storeOf } from '../../test/stores.ts'
import type { Caller } from '../access/caller.ts'
import { calendarOf } from '../base/calendar.ts'
import { systemClock } from '../base/clock.ts'
import { corsOf } from './cors.ts'
import { httpErrors } from './errors.ts'
import type { Kernel } from './kernel.ts'
import { type Listener, listen } from './listener.ts'
import { routerOf } from './router.ts'
import { MOST_STREAMS } from './stream.ts'
import { streamQuery } from './stream-route.ts'

const PIECE = `${'x'.repeat(16 * 1024)}\n`
const store = storeOf('embedded')
const running: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of running.splice(0)) await stop()
})

type Pieces = (signal: AbortSignal) => AsyncIterable<string> | Promise<AsyncIterable<string>>

/** The framework with one route that streams what the test wants. */
async function serving(pieces: Pieces) {
  const logged: string[] = []
  const tell = (_fields: object, message: string): void => {
    logged.push(message)
  }
  let subjects = 0
  const caller = (subject: string): Caller => ({
    subject,
    username: subject,
    human: true,
    permissions: new Set(['event:read']),
    mode: 'developer',
  })
  const kernel: Kernel = {
    db: store.db,
    clock: systemClock,
    calendar: calendarOf('UTC', systemClock),
    identify: ({ headers }) => caller(String(headers['x-test'] ?? `subject-${++subjects}`)),
    limitReads: () => undefined,
    limitWrites: () => undefined,
    log: { debug: tell, info: tell, warn: tell, error: tell },
  }
  const app = routerOf({
    kernel,
    routes: [
      streamQuery({
        id: 'streamPieces',
        surface: 'operations',
        path: '/pieces',
        summary: 'Streams what the test wants.',
        permission: 'event:read',
        streams: 'application/jsonl',
        run: ({ signal }) => pieces(signal),
      }),
    ],
    cors: corsOf([], true),
    trustProxy: false,
    onAnswer: () => undefined,
    onStranger: () => undefined,
  })
  await app.ready()
  const listener: Listener = await listen(['127.0.0.1'], 0, (request, response) =>
    app.routing(request, response),
  )
  running.push(async () => {
    await listener.close(0)
    await app.close()
  })
  return { logged, port: listener.port, url: `http://127.0.0.1:${listener.port}/api/v1/pieces` }
}

describe('a stream', () => {
  test('stops being made when its reader goes away (platform 8)', async () => {
    let [made, hasEnded, wasTold] = [0, false, false]
    const { url } = await serving(async function* (signal) {
      try {
        for (;;) {
          made += 1
          yield PIECE
          await sleep(1)
        }
      } finally {
        hasEnded = true
        wasTold = signal.aborted
      }
    })
    const gone = new AbortController()
    const answer = await fetch(url, { signal: gone.signal })
    await answer.body?.getReader().read()
    expect(made).toBeGreaterThan(0)
    gone.abort()
    await expect.poll(() => hasEnded).toBe(true)
    expect(wasTold).toBe(true)
  })

  test('is made no faster than it is read: memory stays bounded (platform 9)', async () => {
    let made = 0
    const { port } = await serving(async function* () {
      for (;;) {
        made += 1
        yield PIECE
      }
    })
    const socket = connect(port, '127.0.0.1')
    socket.write('GET /api/v1/pieces HTTP/1.1\r\nhost: localhost\r\n\r\n')
    socket.pause()
    await expect.poll(() => made).toBeGreaterThan(1)
    await sleep(300)
    const stalled = made
    await sleep(300)
    expect(made).toBe(stalled)
    socket.destroy()
  })

  test('that fails in the middle is cut off, so that nobody takes it for whole (platform 7)', async () => {
    const { url, logged } = await serving(async function* () {
      yield PIECE
      throw new Error('a fault')
    })
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
    expect(logged).toEqual(['a stream was cut off'])
  })

  test('that is refused before it begins is a problem like any other (platform 7)', async () => {
    const { url } = await serving(() => {
      throw httpErrors.NOT_FOUND('There is nothing to stream.')
    })
    const answer = await fetch(url)
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' })
  })

  test(`503 UNAVAILABLE for more than ${MOST_STREAMS} at once; one that ends makes room (platform 9)`, async () => {
    const end = Promise.withResolvers<void>()
    const { url } = await serving(async function* () {
      yield PIECE
      await end.promise
    })
    const answers = await Promise.all(Array.from({ length: MOST_STREAMS }, () => fetch(url)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await fetch(url)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' })
    end.resolve()
    await Promise.all(answers.map((answer) => answer.text()))
    await expect.poll(async () => (await fetch(url)).status).toBe(200)
  })
})
