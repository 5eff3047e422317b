import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost, type Who } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { conversation, type RawRequest, requestBytes, sendBytes, sendRaw } from '../../test/raw.ts'
import { HEADER_BLOCK_BYTES, MOST_HEADER_LINES } from './limits.ts'
import { type Listener, listen } from './listener.ts'
import type { SocketRefusal } from './socket-refusals.ts'

const SURFACE_TARGETS = ['/api/v1/contracts', '/api/v1/my/contracts'] as const

describe.each(['token', 'developer'] as const)(
  'what is no proper HTTP request, in %s mode',
  (mode) => {
    let host: Host
    let identity: string[]
    let staff: string[]
    beforeAll(async () => {
      host = await startHost({ mode })
      const linesOf = (who: Who) =>
        Object.entries(host.headersOf('ana', who)).map(([name, value]) => `${name}: ${value}`)
      identity = linesOf({ permissions: ['contract:read'], partyId: 'pty_any' })
      staff = linesOf({ permissions: ['party:create'] })
    })
    afterAll(() => host.close())

    const send = (request: RawRequest, who = identity) =>
      sendRaw(host.port, { ...request, lines: [...who, ...(request.lines ?? [])] })

    test('200 for the same request when it is proper, on both surfaces', async () => {
      for (const target of SURFACE_TARGETS) expect((await send({ target })).status).toBe(200)
      expect((await send({ version: '1.0' })).status).toBe(200)
    })

    test('400 REQUEST_MALFORMED for two Host lines, with the same value too (rule 9)', async () => {
      for (const target of SURFACE_TARGETS)
        for (const other of ['localhost', 'localhost:1', '127.0.0.1']) {
          const lines = ['Host: localhost', `Host: ${other}`]
          expectProblem(await send({ target, lines }), 400, 'REQUEST_MALFORMED')
        }
    })

    test('400 REQUEST_MALFORMED for absolute-form and asterisk targets (rule 9)', async () => {
      for (const target of ['http://localhost/api/v1/me', 'https://other.example/api/v1/me']) {
        expectProblem(await send({ target }), 400, 'REQUEST_MALFORMED')
      }
      expectProblem(await send({ method: 'OPTIONS', target: '*' }), 400, 'REQUEST_MALFORMED')
    })

    test('400 REQUEST_MALFORMED where length and chunks contradict each other (rule 9)', async () => {
      const framings: Record<string, RawRequest> = {
        'TE and CL': {
          lines: ['Transfer-Encoding: chunked', 'Content-Length: 5'],
          body: '0\r\n\r\n',
        },
        'CL and TE': {
          lines: ['Content-Length: 5', 'Transfer-Encoding: chunked'],
          body: '0\r\n\r\n',
        },
        'two lengths': { lines: ['Content-Length: 2', 'Content-Length: 3'], body: '{}' },
        'a list of lengths': { lines: ['Content-Length: 2, 2'], body: '{}' },
        'a negative length': { lines: ['Content-Length: -1'] },
        'a length in words': { lines: ['Content-Length: two'], body: '{}' },
        'a length with a sign': { lines: ['Content-Length: +2'], body: '{}' },
        'chunked not last': { lines: ['Transfer-Encoding: chunked, gzip'], body: '0\r\n\r\n' },
        'a broken chunk size': {
          lines: ['Transfer-Encoding: chunked'],
          body: 'zz\r\n{}\r\n0\r\n\r\n',
        },
        'a chunk without an end': {
          lines: ['Transfer-Encoding: chunked'],
          body: '2\r\n{}x\r\n0\r\n\r\n',
        },
        'a blank before the colon': { lines: ['Content-Length : 2'], body: '{}' },
      }
      for (const [name, framing] of Object.entries(framings)) {
        const lines = ['Content-Type: application/json', ...(framing.lines ?? [])]
        const request = { ...framing, method: 'POST', target: '/api/v1/parties', lines }
        expectProblem(await send(request, staff), 400, 'REQUEST_MALFORMED', name)
      }
    })

    test('400 REQUEST_MALFORMED for bare line feeds, folded lines and other noise', async () => {
      const noises: Record<string, string | Buffer> = {
        'bare LF': 'GET /api/v1/me HTTP/1.1\nHost: localhost\n\n',
        'one bare LF': 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\nx: y\r\n\r\n',
        'a folded line': 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n x-dev-user: ana\r\n\r\n',
        'NUL in a value': 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nx: a\0b\r\n\r\n',
        'a bare CR': 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nx: a\rx-dev-user: b\r\n\r\n',
        'an unknown method': 'BREW /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n',
        'a method in lower case': 'get /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n',
        'HTTP/2 in clear': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        'HTTP/3.7': 'GET /api/v1/me HTTP/3.7\r\nHost: localhost\r\n\r\n',
        'no version': 'GET /api/v1/me\r\nHost: localhost\r\n\r\n',
        'a TLS greeting': Buffer.from('160301020001000001fc0303', 'hex'),
      }
      for (const [name, bytes] of Object.entries(noises))
        expectProblem(await sendBytes(host.port, bytes), 400, 'REQUEST_MALFORMED', name)
    })

    test('431 HEADERS_TOO_LARGE from 101 header lines on (spec 8.1, rule 9)', async () => {
      const sent = identity.length + 1
      const fillers = (count: number) => Array.from({ length: count }, (_, i) => `x-filler-${i}: y`)
      for (const target of SURFACE_TARGETS) {
        const most = await send({ target, lines: fillers(MOST_HEADER_LINES - sent) })
        expect(most.status).toBe(200)
        const tooMany = await send({ target, lines: fillers(MOST_HEADER_LINES - sent + 1) })
        expectProblem(tooMany, 431, 'HEADERS_TOO_LARGE')
        expectProblem(await send({ target, lines: fillers(1_500) }), 431, 'HEADERS_TOO_LARGE')
      }
    })

    test('431 HEADERS_TOO_LARGE for a header block or a target above 16 KiB (spec 8.1)', async () => {
      const lines = [`x-large: ${'y'.repeat(HEADER_BLOCK_BYTES)}`]
      for (const target of SURFACE_TARGETS)
        expectProblem(await send({ target, lines }), 431, 'HEADERS_TOO_LARGE')
      const target = `/api/v1/contracts?q=${'y'.repeat(HEADER_BLOCK_BYTES)}`
      expectProblem(await send({ target }), 431, 'HEADERS_TOO_LARGE')
      expect((await send({ lines: [`x-large: ${'y'.repeat(8_000)}`] })).status).toBe(200)
    })

    test('100-continue in any case is served, another expectation is refused', async () => {
      const body = JSON.stringify({ type: 'PERSON', person: { firstName: 'A', lastName: 'B' } })
      for (const expectation of ['100-continue', '100-Continue']) {
        const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
        const request = { method: 'POST', target: '/api/v1/parties', body }
        const answer = await send(
          { ...request, lines: [...lines, `Expect: ${expectation}`] },
          staff,
        )
        expect(answer.status).toBe(201)
      }
      expectProblem(await send({ lines: ['Expect: 200-ok'] }), 400, 'REQUEST_MALFORMED')
    })

    test('an upgrade is not taken up, a tunnel is not opened', async () => {
      const lines = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAA']
      expect((await send({ lines })).status).toBe(200)
      const tunnel = await send({ method: 'CONNECT', target: 'example.org:443' })
      expectProblem(tunnel, 400, 'REQUEST_MALFORMED')
    })

    test('an answer is never mistaken for that of the noise behind its request', async () => {
      const lines = [...staff, 'Content-Type: application/json', 'Content-Length: 67']
      const body = '{"type":"PERSON","person":{"firstName":"Pipe","lastName":"Lining"}}'
      const request = requestBytes({ method: 'POST', target: '/api/v1/parties', lines, body })
      const [answer] = await conversation(
        host.port,
        [Buffer.concat([request, Buffer.from('@@@\r\n\r\n')])],
        1,
      )
      expect(answer).toMatchObject({ status: 201, body: { displayName: 'Pipe Lining' } })
    })
  },
)

describe('Host in token mode', () => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode: 'token' })
  })
  afterAll(() => host.close())

  test('400 REQUEST_MALFORMED without a Host, with an empty one and with one that is none (rule 9)', async () => {
    expectProblem(await sendRaw(host.port, { withoutHost: true }), 400, 'REQUEST_MALFORMED')
    expectProblem(
      await sendRaw(host.port, { withoutHost: true, version: '1.0' }),
      400,
      'REQUEST_MALFORMED',
    )
    for (const value of ['', 'a/b', 'a b', 'user@host', 'a,b', 'a:b', 'a:1:2', '[::1', 'a?b', 'é'])
      expectProblem(
        await sendRaw(host.port, { lines: [`Host: ${value}`] }),
        400,
        'REQUEST_MALFORMED',
        value,
      )
  })

  test('401 and nothing stranger for every Host that is one', async () => {
    for (const value of [
      'api.example.org',
      'api.example.org:8443',
      '[::1]:80',
      '10.0.0.1',
      'a_b',
      'A.',
    ])
      expectProblem(
        await sendRaw(host.port, { lines: [`Host: ${value}`] }),
        401,
        'UNAUTHENTICATED',
        value,
      )
  })
})

test('what the parser refuses is told once, with the request id of the answer (rule 9)', async () => {
  const told: SocketRefusal[] = []
  const listener: Listener = await listen(['127.0.0.1'], 0, (_, response) => response.end(), {
    onRefusal: (refusal) => told.push(refusal),
  })
  try {
    const ids = new Set<string>()
    for (let i = 0; i < 3; i++) {
      const answer = await sendBytes(listener.port, 'noise\r\n\r\n')
      expectProblem(answer, 400, 'REQUEST_MALFORMED')
      ids.add(answer.body.requestId)
    }
    expect(ids.size).toBe(3)
    expect(told.map(({ requestId }) => requestId)).toEqual([...ids])
    expect(told[0]).toMatchObject({
      problem: { code: 'REQUEST_MALFORMED' },
      remoteAddress: '127.0.0.1',
    })
  } finally {
    await listener.close(0)
  }
})
