import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { type RawRequest, sendRaw } from '../../test/raw.ts'
import { codesOfRoute, leastBodyOf, targetOf } from '../../test/walk.ts'
import { allRoutes } from '../surfaces.ts'
import { DEVELOPER_HEADERS } from './dev-headers.ts'

/** Paths beyond the routes: nothing on the listener is served to a request with such a header. */
const PATHS = [
  '/',
  '/healthz',
  '/readyz',
  '/docs',
  '/docs/',
  '/docs/errors',
  '/docs/reference.js',
  '/console/',
  '/portal/',
  '/api/v1',
  '/api/v1/openapi.json',
  '/api/v1/my/openapi.json',
  '/api/v1/my/',
  '/api/v1/nothing/here',
  '/api/v1/my/nothing',
  '/api/v2/contracts',
  '/nothing',
  '/x/%zz',
  '/api/v1/my/%zz',
  '/api/v1/contracts/%',
  `/api/v1/contracts/${'x'.repeat(2_000)}`,
  '//api/v1/me',
  '/api/v1/../v1/me',
  '/api/v1/contracts?access_token=a',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']
const SPELLINGS = [
  'x_dev_user',
  'X_DEV_PERMISSIONS',
  'x-dev_party',
  'x_dev-partner',
  'x-dev',
  'x-dev-',
  'x-dev-anything',
  'X-Dev-Roles',
  'x-dev-user-name',
]
const SURFACE_CHOICES = ['all', 'ops', 'customer'] as const

describe('developer headers while a provider is configured', () => {
  let host: Host
  let token: string
  beforeAll(async () => {
    host = await startHost({ mode: 'token', env: { TFS_CORS_ORIGINS: 'https://app.example' } })
    token = `Authorization: ${host.headersOf('ana', { permissions: [] })['authorization']}`
  })
  afterAll(() => host.close())

  const expectRefused = async (request: RawRequest, name = JSON.stringify(request)) => {
    const answer = await sendRaw(host.port, request)
    expect(answer.status, name).toBe(400)
    if (request.method === 'HEAD') return answer
    expect(answer.code, name).toBe('MSG-G-12')
    expect(answer.headers.get('content-type')?.[0], name).toMatch(/^application\/problem\+json/)
    expect(answer.headers.get('x-request-id'), name).toEqual([answer.body.requestId])
    return answer
  }

  const variants = (header: string): Record<string, readonly string[]> => ({
    alone: [`${header}: ana`],
    'with a valid token': [`${header}: ana`, token],
    'with a bad token': [`${header}: ana`, 'Authorization: Bearer bad'],
    empty: [token, `${header}:`],
    doubled: [`${header}: ana`, token, `${header}: ben`],
    'in upper case': [token, `${header.toUpperCase()}: ana`],
    'with underscores': [token, `${header.replaceAll('-', '_')}: ana`],
  })

  test.each(DEVELOPER_HEADERS)(
    'MSG-G-12 for %s on every route of both surfaces, in every way (spec 5.6.2, spec 5.6.4, rule 12)',
    async (header) => {
      for (const route of allRoutes) {
        for (const [way, lines] of Object.entries(variants(header))) {
          const request = { method: route.method, target: targetOf(route), lines }
          await expectRefused(request, `${route.id}, ${header} ${way}`)
        }
      }
    },
  )

  test('MSG-G-12 on unknown, malformed and public paths too (spec 5.6.2, rule 12)', async () => {
    for (const target of PATHS)
      for (const header of DEVELOPER_HEADERS)
        await expectRefused({ target, lines: [`${header}: x`] }, `${target} ${header}`)
  })

  test('MSG-G-12 for every method, preflights included (spec 5.6.2, rule 12)', async () => {
    for (const method of METHODS)
      for (const target of ['/api/v1/me', '/api/v1/my/contracts', '/healthz'])
        await expectRefused({ method, target, lines: ['x-dev-user: x', 'Content-Length: 0'] })
    const preflight = ['Origin: https://app.example', 'Access-Control-Request-Method: GET']
    await expectRefused({ method: 'OPTIONS', lines: [...preflight, 'x-dev-party: x'] })
    await expectRefused({ method: 'CONNECT', target: 'example.org:443', lines: ['x-dev-user: x'] })
  })

  test('MSG-G-12 for every other x-dev-… and for underscore spellings (rule 12)', async () => {
    for (const header of SPELLINGS)
      for (const target of ['/api/v1/contracts', '/api/v1/my/contracts', '/x/%zz'])
        await expectRefused({ target, lines: [token, `${header}: ana`] })
  })

  test('MSG-G-12 before anything else that is wrong with the request (rule 12)', async () => {
    const wrongs: Record<string, RawRequest> = {
      'absolute form': { target: 'http://elsewhere.example/api/v1/me' },
      'asterisk form': { method: 'OPTIONS', target: '*' },
      'HTTP/1.0': { version: '1.0' },
      'HTTP/1.0 without Host': { version: '1.0', withoutHost: true },
      'no Host': { withoutHost: true },
      'two Hosts': { lines: ['Host: a', 'Host: b'] },
      'a bad Host': { lines: ['Host: a/b'] },
      'two tokens': { lines: ['Authorization: Bearer a', 'Authorization: Bearer b'] },
      'a body too large': { method: 'POST', lines: ['Content-Length: 99999999'] },
      'a body that is no JSON': { method: 'POST', lines: ['Content-Length: 1'], body: '{' },
      'an expectation': { lines: ['Expect: something'] },
      'an upgrade': { lines: ['Connection: Upgrade', 'Upgrade: websocket'] },
    }
    for (const [name, wrong] of Object.entries(wrongs))
      await expectRefused({ ...wrong, lines: [...(wrong.lines ?? []), 'x-dev-user: ana'] }, name)
  })

  test('MSG-G-12 when the header hides behind a hundred others (rule 9, rule 12)', async () => {
    const many = Array.from({ length: 150 }, (_, i) => `x-filler-${i}: ${i}`)
    await expectRefused({ lines: [...many, 'x-dev-user: ana'] }, 'the last of 151 lines')
    const answer = await sendRaw(host.port, { lines: many })
    expect(answer).toMatchObject({ status: 431, code: 'HEADERS_TOO_LARGE' })
  })

  test('400 names the headers and never their values (spec 7.2)', async () => {
    const lines = ['X-Dev-User: secret-name', 'x-dev-permissions: secret:code', 'x-dev-user: again']
    const answer = await expectRefused({ lines })
    expect(answer.body.headers).toEqual(['x-dev-user', 'x-dev-permissions'])
    expect(answer.body.detail).toContain('started without a provider')
    expect(answer.text + host.logLines.join('\n')).not.toContain('secret')
  })

  test('a trailer x-dev-user neither identifies nor matters (rule 12)', async () => {
    const client = `Authorization: ${host.headersOf('paul', { permissions: ['party:create'] })['authorization']}`
    const answer = await sendRaw(host.port, trailing('/api/v1/parties', [client]))
    expect(answer.status).toBe(201)
    expect(answer.body.createdBy.username).toBe('paul')
    const alone = await sendRaw(host.port, trailing('/api/v1/parties', []))
    expect(alone).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  })

  test('MSG-G-12 while the provider is away, on both surfaces (spec 5.6.2, rule 12)', async () => {
    host.issuer?.misbehave('down')
    try {
      for (const header of DEVELOPER_HEADERS)
        for (const target of ['/api/v1/contracts', '/api/v1/my/contracts', '/readyz'])
          await expectRefused({ target, lines: [`${header}: x`, 'Authorization: Bearer a.b.c'] })
    } finally {
      host.issuer?.misbehave()
    }
  })
})

describe.each(SURFACE_CHOICES)(
  'a process of surface %s whose provider was never there',
  (surface) => {
    let host: Host
    beforeAll(async () => {
      const env = { TFS_SURFACE: surface, OIDC_ISSUER: 'http://localhost:1/realms/tfs' }
      host = await startHost({ mode: 'token', env })
    })
    afterAll(() => host.close())

    test('MSG-G-12 for every developer header on every route, mounted or not (spec 5.6.2, rule 12)', async () => {
      for (const route of allRoutes) {
        for (const header of DEVELOPER_HEADERS) {
          const request = { method: route.method, target: targetOf(route), lines: [`${header}: x`] }
          expect((await sendRaw(host.port, request)).code, `${route.id} ${header}`).toBe('MSG-G-12')
        }
      }
    })

    test('developer headers open nothing (spec 5.6.5)', async () => {
      for (const route of allRoutes) {
        const answer = await host.stranger.send(
          route.method,
          targetOf(route),
          route.method === 'GET' ? undefined : leastBodyOf(route),
          {
            'x-dev-user': 'ana',
            'x-dev-permissions': codesOfRoute(route).join(),
            'x-dev-party': 'p',
          },
        )
        expect(answer, route.id).toMatchObject({ status: 400, code: 'MSG-G-12' })
      }
    })
  },
)

function trailing(target: string, lines: readonly string[]): RawRequest {
  const body = JSON.stringify({ type: 'PERSON', person: { firstName: 'Ada', lastName: 'Berg' } })
  return {
    method: 'POST',
    target,
    lines: [
      ...lines,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Trailer: x-dev-user, x-dev-permissions',
    ],
    body: `${body.length.toString(16)}\r\n${body}\r\n0\r\nx-dev-user: eve\r\nx-dev-permissions: party:create\r\n\r\n`,
  }
}
