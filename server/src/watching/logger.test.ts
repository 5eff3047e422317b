import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newPerson, PREPARING } from '../../test/samples.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import { accessErrors } from '../access/errors.ts'
import type { Log } from '../http/kernel.ts'
import { SqlFault } from '../storage/failures.ts'
import { loggerOf } from './logger.ts'
import { securityLogOf } from './security-log.ts'

type Line = Readonly<Record<string, unknown>>

function recorded(level = 'trace'): { log: Log; lines: Line[] } {
  const lines: Line[] = []
  const into = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { log: loggerOf(level, into), lines }
}

describe('log lines', () => {
  test('are JSON with level and time, and quiet below the level that was set', () => {
    const { log, lines } = recorded('warn')
    log.info({}, 'quiet')
    log.warn({ a: 1 }, 'told')
    expect(lines).toEqual([
      { level: 'warn', time: expect.stringMatching(/^\d{4}-.*Z$/), a: 1, msg: 'told' },
    ])
  })

  test('a fault keeps its kind and place, not the values that the database repeats', () => {
    const { log, lines } = recorded()
    const fault = new SqlFault('invalid input syntax for type date: "Zoe Quill"', {
      sqlState: '22007',
      constraint: undefined,
      table: 'party',
      column: undefined,
    })
    log.error({ err: new Error('could not store "Zoe Quill"', { cause: fault }) }, 'fault')
    expect(JSON.stringify(lines)).not.toContain('Quill')
    expect(lines[0]).toMatchObject({
      err: {
        message: 'could not store "…',
        stack: expect.stringContaining('logger.test.ts'),
        cause: { type: 'SqlFault', sqlState: '22007', table: 'party' },
      },
    })
  })

  test('quotes within quotes and several lines let nothing through', () => {
    const { log, lines } = recorded()
    log.error({ err: new SyntaxError('Unexpected token in "{"name":\n"Quill') }, 'fault')
    expect(JSON.stringify(lines)).not.toContain('Quill')
  })
})

describe('refusals of strangers', () => {
  const refusal = {
    problem: accessErrors.TOKEN_INVALID('no'),
    requestId: 'req-12345678',
    method: 'GET',
    url: '/api/v1/eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln/me?access_token=leaked',
    remoteAddress: '127.0.0.1',
  }

  test('one line each, without the token wherever it was put', () => {
    const { log, lines } = recorded()
    securityLogOf(
      log,
      () => undefined,
      () => 0,
    )(refusal)
    expect(lines[0]).toMatchObject({
      security: 'TOKEN_INVALID',
      requestId: 'req-12345678',
      path: '/api/v1/…/me',
    })
    expect(JSON.stringify(lines)).not.toMatch(/eyJ|leaked/)
  })

  test('beyond a rate they are only counted, and the number dropped is told', () => {
    const { log, lines } = recorded()
    const { clock, step } = steppedClock()
    let counted = 0
    const refuse = securityLogOf(log, () => counted++, clock)
    for (let i = 0; i < 1_000; i++) refuse(refusal)
    expect(lines.length).toBe(20)
    step(1)
    refuse(refusal)
    expect(counted).toBe(1_001)
    expect(lines).toContainEqual(expect.objectContaining({ dropped: 980 }))
  })
})

describe('what a served platform logs, at its most talkative', () => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode: 'token', env: { LOG_LEVEL: 'trace' } })
  })
  afterAll(() => host.close())

  test('no token, no query, no body, no personal value', async () => {
    const ana = host.as('ana', ...PREPARING)
    const { authorization } = host.headersOf('ana', { permissions: PREPARING }) as {
      authorization: string
    }
    const id = await createParty(ana, newPerson('Quill', { email: 'zoe@example.org' }))
    await ana.get(`/parties?q=Quill`)
    await ana.get(`/parties/${id}?access_token=leaked`)
    await ana.post('/parties', { ...newPerson('Quill'), surprise: 'leaked' })
    await ana.post('/parties', '{"person": "leaked')
    await host.stranger.get('/me', { authorization: `${authorization}x` })
    await host.stranger.get('/me', { authorization: 'Basic leaked' })
    await host.stranger.get('/me', { 'x-dev-user': 'leaked' })
    const log = host.logLines.join('\n')
    expect(log).toContain('"operation":"createParty"')
    for (const secret of ['eyJ', 'Quill', 'zoe@example.org', 'leaked', 'Bearer', '"ana"']) {
      expect(log).not.toContain(secret)
    }
  })

  test('every line can be joined with its answer by the request id', async () => {
    const before = host.logLines.length
    const { headers } = await host.as('ana', ...PREPARING).post('/parties', {})
    const requestId = headers.get('x-request-id')
    expect(host.logLines.slice(before).map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ requestId, status: 400, operation: 'createParty', level: 'info' }),
    )
  })

  test('strangers fill no disk: their answers are told only when someone debugs', async () => {
    const before = host.logLines.length
    for (let i = 0; i < 5; i++) await host.stranger.get('/me')
    const answered = host.logLines
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'answered')
    expect(answered.length).toBe(5)
    expect(new Set(answered.map(({ level }) => level))).toEqual(new Set(['debug']))
  })
})
