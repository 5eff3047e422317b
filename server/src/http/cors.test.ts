import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, type HostMode, startHost } from '../../test/host.ts'
import { expectProblem, headerOf } from '../../test/problems.ts'
import { type RawAnswer, sendRaw } from '../../test/raw.ts'
import { DEVELOPER_HEADERS } from '../access/dev-headers.ts'

const LISTED = 'https://console.example'
const OTHERS = [
  'https://other.example',
  'https://console.example.evil.org',
  'null',
  'http://console.example',
  'https://CONSOLE.example',
]
const TARGETS = ['/api/v1/contracts', '/api/v1/my/contracts', '/api/v1/nothing'] as const

describe.each(['token', 'developer'] as const)('CORS in %s mode', (mode: HostMode) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode, env: { TFS_CORS_ORIGINS: `${LISTED},https://portal.example` } })
  })
  afterAll(() => host.close())

  const preflight = (target: string, origin: string, asked = 'authorization'): Promise<RawAnswer> =>
    sendRaw(host.port, {
      method: 'OPTIONS',
      target,
      lines: [
        `Origin: ${origin}`,
        'Access-Control-Request-Method: POST',
        `Access-Control-Request-Headers: ${asked}`,
      ],
    })

  test('204 for a preflight of a listed origin, before identity, on both surfaces (rule 10)', async () => {
    for (const target of TARGETS) {
      const answer = await preflight(target, LISTED)
      expect(answer.status).toBe(204)
      expect(headerOf(answer, 'access-control-allow-origin')).toBe(LISTED)
      expect(headerOf(answer, 'access-control-allow-credentials')).toBeNull()
      expect(headerOf(answer, 'vary')).toContain('Origin')
      const allowed = headerOf(answer, 'access-control-allow-headers')?.split(', ')
      expect(allowed).toEqual(
        expect.arrayContaining(['authorization', 'if-match', 'idempotency-key']),
      )
      expect(headerOf(answer, 'access-control-allow-methods')).toBe('GET, HEAD, POST, PATCH')
      expect(headerOf(answer, 'x-request-id')).toMatch(/^[\w-]{8,64}$/)
    }
  })

  test('405 for a preflight of any other origin and for any other OPTIONS (rule 10)', async () => {
    for (const target of TARGETS) {
      for (const origin of OTHERS) {
        const answer = await preflight(target, origin)
        expectProblem(answer, 405, 'METHOD_NOT_ALLOWED', origin)
        expect(headerOf(answer, 'access-control-allow-origin'), origin).toBeNull()
      }
      expectProblem(
        await sendRaw(host.port, { method: 'OPTIONS', target }),
        405,
        'METHOD_NOT_ALLOWED',
      )
      const lines = [`Origin: ${LISTED}`]
      expectProblem(
        await sendRaw(host.port, { method: 'OPTIONS', target, lines }),
        405,
        'METHOD_NOT_ALLOWED',
      )
    }
  })

  test('developer headers are allowed across origins in developer mode alone (rule 10)', async () => {
    for (const header of DEVELOPER_HEADERS) {
      const answer = await preflight('/api/v1/contracts', LISTED, header)
      const allowed = headerOf(answer, 'access-control-allow-headers')?.split(', ')
      if (mode === 'token') expect(allowed, header).not.toContain(header)
      else expect(allowed, header).toContain(header)
    }
  })

  test('answers and refusals name a listed origin, and no other (rule 10)', async () => {
    const ana = host.as('ana', { permissions: ['contract:read'], partyId: 'pty_any' })
    for (const target of [
      '/api/v1/contracts',
      '/api/v1/my/contracts',
      '/api/v1/contracts/x',
      '/api/v1/nothing',
      '/x/%zz',
      '/healthz',
    ]) {
      const listed = await ana.get(target, { origin: LISTED })
      expect(headerOf(listed, 'access-control-allow-origin'), target).toBe(LISTED)
      expect(headerOf(listed, 'access-control-expose-headers'), target).toContain('x-request-id')
      for (const origin of OTHERS) {
        const other = await ana.get(target, { origin })
        expect(headerOf(other, 'access-control-allow-origin'), `${target} ${origin}`).toBeNull()
        expect(headerOf(other, 'vary'), target).toContain('Origin')
      }
    }
    const stranger = await host.stranger.get('/api/v1/contracts', { origin: LISTED })
    expect(headerOf(stranger, 'access-control-allow-origin')).toBe(LISTED)
  })

  test('what varies by caller and by origin says both', async () => {
    const ana = host.as('ana', { permissions: ['contract:read'], partyId: 'pty_any' })
    for (const target of ['/api/v1/contracts', '/api/v1/my/contracts'])
      expect((await ana.get(target, { origin: LISTED })).headers.get('vary')).toBe(
        'Origin, Authorization',
      )
  })
})

test('no CORS header at all while no origin is listed', async () => {
  const host = await startHost({ mode: 'token' })
  const answer = await host.as('ana', 'contract:read').get('/contracts', { origin: LISTED })
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  expect(answer.headers.get('vary')).toBe('Authorization')
  await host.close()
})
