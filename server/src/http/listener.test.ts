import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { expectProblem, headerOf } from '../../test/problems.ts'
import { conversation, requestBytes, sendBytes } from '../../test/raw.ts'
import { openStore, type TestStore } from '../../test/stores.ts'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { loggerOf } from '../watching/logger.ts'
import { type Listener, type ListenOptions, listen } from './listener.ts'
import type { SocketRefusal } from './socket-refusals.ts'

const SHORT: ListenOptions = { receiveMs: 300, answerMs: 400, checkEveryMs: 50 }
const HEAD = 'POST /api/v1/parties HTTP/1.1\r\nHost: localhost\r\n'

let open: Listener | undefined
let told: SocketRefusal[] = []

afterEach(async () => {
  await open?.close(0)
  open = undefined
  told = []
})

async function started(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  options: ListenOptions = SHORT,
): Promise<number> {
  open = await listen(['127.0.0.1'], 0, onRequest, {
    ...options,
    onRefusal: (refusal) => told.push(refusal),
  })
  return open.port
}

const neverAnswers = (): void => undefined
const echoes = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume().on('end', () => response.end('done'))
}

test('408 REQUEST_TIMEOUT when the header block does not end in time (spec 8.1)', async () => {
  const port = await started(echoes)
  expectProblem(await sendBytes(port, HEAD), 408, 'REQUEST_TIMEOUT')
  expect(told).toMatchObject([{ problem: { code: 'REQUEST_TIMEOUT' } }])
})

test('408 REQUEST_TIMEOUT when the body does not end in time, trickling or silent (spec 8.1)', async () => {
  const port = await started(echoes)
  const whole = `${HEAD}Content-Length: 100\r\nX-Request-Id: of-the-client\r\n\r\n{`
  const silent = await sendBytes(port, whole)
  expectProblem(silent, 408, 'REQUEST_TIMEOUT')
  expect(silent.body).toMatchObject({ requestId: 'of-the-client', instance: '/api/v1/parties' })

  const socket = connect(port, '127.0.0.1')
  const text = new Promise<string>((resolve) => {
    let read = ''
    socket.on('data', (chunk) => {
      read += String(chunk)
    })
    socket.on('close', () => resolve(read))
  })
  socket.write(whole)
  const trickle = setInterval(() => socket.write(' '), 30)
  expect(await text).toMatch(/^HTTP\/1\.1 408 /)
  clearInterval(trickle)
})

test('408 REQUEST_TIMEOUT on a second request of a kept connection too', async () => {
  const port = await started(echoes)
  const first = requestBytes({ method: 'POST', lines: ['Content-Length: 0'] })
  const [done, late] = await conversation(port, [first, HEAD], 2)
  expect(done?.status).toBe(200)
  expectProblem(late as NonNullable<typeof late>, 408, 'REQUEST_TIMEOUT')
})

test('408 REQUEST_TIMEOUT, not 503, for a request that falls silent before the check of deadlines', async () => {
  const port = await started(echoes, { receiveMs: 20_000, answerMs: 200, checkEveryMs: 20_000 })
  expectProblem(await sendBytes(port, HEAD), 408, 'REQUEST_TIMEOUT')
  const body = await sendBytes(port, `${HEAD}Content-Length: 100\r\n\r\n{`)
  expectProblem(body, 408, 'REQUEST_TIMEOUT')
})

test('503 UNAVAILABLE with Retry-After when no answer is made in time (spec 8.1)', async () => {
  const port = await started(neverAnswers)
  const answer = await sendBytes(port, requestBytes({ lines: ['X-Request-Id: slow-answer'] }))
  expectProblem(answer, 503, 'UNAVAILABLE')
  expect(headerOf(answer, 'retry-after')).toBe(String(answer.body.retryAfter))
  expect(answer.body.requestId).toBe('slow-answer')
})

test('an answer that has begun is cut, not followed by a problem', async () => {
  const port = await started((_, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('half')
  })
  await expect(sendBytes(port, requestBytes({}))).rejects.toThrow(/half/)
})

test('nothing is said to a connection that says nothing', async () => {
  const port = await started(echoes)
  const socket = connect(port, '127.0.0.1')
  const read: Buffer[] = []
  socket.on('data', (chunk) => read.push(chunk))
  await new Promise((resolve) => socket.on('close', resolve))
  expect(Buffer.concat(read).toString()).toMatch(/^(?:|HTTP\/1\.1 408 .*)/)
})

test('a kept connection outlives the deadlines of requests', async () => {
  const port = await started(echoes)
  const request = requestBytes({ method: 'POST', lines: ['Content-Length: 0'] })
  const socket = connect(port, '127.0.0.1')
  let answers = 0
  socket.on('data', () => {
    answers += 1
  })
  socket.write(request)
  await sleep(900)
  socket.write(request)
  await sleep(100)
  socket.destroy()
  expect(answers).toBe(2)
})

test('running requests finish when the listener closes, new ones find nobody', async () => {
  const port = await started((_, response) => void setTimeout(() => response.end('late'), 200))
  const running = sendBytes(port, requestBytes({}))
  await sleep(50)
  const closing = open?.close(2_000)
  expect(await running).toMatchObject({ status: 200, text: 'late' })
  await closing
  await expect(sendBytes(port, requestBytes({}))).rejects.toThrow(/ECONNREFUSED/)
})

test('one port on several addresses, or none at all', async () => {
  const listener = await listen(['127.0.0.1', '::1'], 0, echoes)
  const taken = listen(['::1', '127.0.0.1'], listener.port, echoes)
  await expect(taken).rejects.toThrow(/EADDRINUSE/)
  expect((await sendBytes(listener.port, requestBytes({}))).status).toBe(200)
  await listener.close(0)
})

test('a body that stops half way is nobody’s fault: no error is logged, nothing is stored', async () => {
  const store: TestStore = await openStore('embedded')
  const lines: string[] = []
  const log = loggerOf('info', { write: (line: string) => lines.push(line) } as never)
  const app: App = await createApp({
    config: readConfig({ PORT: '0' }, 'serve'),
    db: store.db,
    pendingMigrations: async () => [],
    log,
    version: '0',
  })
  const port = await started(app.handle, {})
  const socket = connect(port, '127.0.0.1')
  socket.write(`${HEAD}x-dev-permissions: party:create\r\nContent-Length: 100\r\n\r\n{"type":`)
  await sleep(200)
  socket.destroy()
  await sleep(200)
  await app.close()
  await store.close()
  expect(lines.filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([])
})
