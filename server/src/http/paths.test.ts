import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../test/client.ts'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem, headerOf } from '../../test/problems.ts'
import { type RawAnswer, type RawRequest, sendRaw } from '../../test/raw.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { everyPermission } from '../../test/walk.ts'

/** Spellings of a path that another server on the way might take for a route of ours. */
function disguisesOf(path: string): string[] {
  const [, api, version, ...rest] = path.split('/') as [string, string, string, ...string[]]
  const tail = rest.join('/')
  return [
    `//${api}/${version}/${tail}`,
    `/${api}//${version}/${tail}`,
    `/${api}/${version}//${tail}`,
    `/${api}/${version}/${rest.join('//')}//`,
    `/./${api}/${version}/${tail}`,
    `/${api}/${version}/./${tail}`,
    `/x/../${api}/${version}/${tail}`,
    `/docs/..%2f${api}/${version}/${tail}`,
    `/${api}/${version}/x/%2e%2e/${tail}`,
    `/${api}%2f${version}%2f${rest.join('%2f')}`,
    `/${api}/${version}/${rest.join('%2F')}`.replace(`/${tail}`, `%2F${tail}`),
    `/${api}%5c${version}/${tail}`,
    `/${api}\\${version}\\${tail}`,
    `${path}/`,
    `${path}//`,
    `${path}/.`,
    `${path}%20`,
    `${path};x=y`,
    `/${api};x=y/${version}/${tail}`,
    `${path}.json`,
    `${path}%00`,
    `${path}%2f`,
    path.toUpperCase(),
    `/${api.toUpperCase()}/${version}/${tail}`,
    `/${api}/${version.toUpperCase()}/${tail}`,
    `${path}%3Fx=y`,
    `/${api}/${version}/%2573elf/../${tail}`,
  ]
}

describe.each(['token', 'developer'] as const)('paths in %s mode', (mode) => {
  let host: Host
  let paul: Client
  let contractId: string
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ mode, env: { TFS_SURFACE: 'all' } })
    paul = host.as('paul', ...PREPARING)
    partyId = await createParty(paul)
    contractId = await createContract(paul, newContract(partyId))
  })
  afterAll(() => host.close())

  const linesOf = (permissions: readonly string[], party?: string): string[] =>
    Object.entries(
      host.headersOf('ana', { permissions, ...(party !== undefined && { partyId: party }) }),
    ).map(([name, value]) => `${name}: ${value}`)
  const send = (request: RawRequest): Promise<RawAnswer> => sendRaw(host.port, request)

  test('never a route without its own check behind any disguise of its path (rule 10)', async () => {
    const paths = ['/api/v1/contracts', '/api/v1/my/contracts', `/api/v1/contracts/${contractId}`]
    for (const path of paths) {
      for (const target of disguisesOf(path)) {
        for (const lines of [[], linesOf([], partyId), linesOf(['party:read'], partyId)]) {
          const answer = await send({ target, lines })
          expect(answer.status, `${target} ${lines.length}`).toBeGreaterThanOrEqual(400)
          expect(answer.status, `${target} ${answer.text}`).toBeLessThan(500)
          expectProblem(answer, answer.status, answer.code ?? '', target)
          expect(answer.text, target).not.toContain('12500.00')
        }
      }
    }
  })

  test('404, not another route, for a disguised path even with every permission (rule 10)', async () => {
    for (const target of disguisesOf('/api/v1/contracts')) {
      const answer = await send({ target, lines: linesOf(everyPermission) })
      expect([400, 404], `${target} ${answer.text}`).toContain(answer.status)
    }
  })

  test('a percent-encoded path is its route, with the guard of the route (rule 10)', async () => {
    const target = '/%61pi/v1/%63ontracts'
    expectProblem(await send({ target }), 401, 'UNAUTHENTICATED')
    expectProblem(await send({ target, lines: linesOf([]) }), 403, 'PERMISSION_MISSING')
    expect((await send({ target, lines: linesOf(['contract:read']) })).status).toBe(200)
  })

  test('an encoded slash or dot stays inside an id: 404', async () => {
    for (const id of [
      '..%2f..%2fparties',
      `x%2f..%2f${contractId}`,
      '%2e%2e',
      '..',
      `${contractId}%2fapprove`,
    ]) {
      const answer = await send({
        target: `/api/v1/contracts/${id}`,
        lines: linesOf(['contract:read']),
      })
      expectProblem(answer, 404, 'NOT_FOUND', id)
    }
  })

  test('404 for an id of any length and any character, never 5xx (spec 2.1)', async () => {
    const ids = [
      '%00',
      'a%00b',
      '%F0%9F%98%80',
      'null',
      '__proto__',
      "'%20or%20'1'='1",
      '%2525',
      '-1',
    ]
    for (const id of [...ids, 'x'.repeat(1_024), 'x'.repeat(1_025), 'x'.repeat(9_000)])
      for (const path of ['/api/v1/contracts', '/api/v1/my/contracts', '/api/v1/parties']) {
        const lines = linesOf(everyPermission, path.includes('/my/') ? partyId : undefined)
        const answer = await send({ target: `${path}/${id}`, lines })
        expectProblem(answer, 404, 'NOT_FOUND', `${path}/${id.slice(0, 40)} ${id.length}`)
      }
  })

  test('400 REQUEST_MALFORMED for a broken escape, with or without identity (rule 9)', async () => {
    for (const target of [
      '/x/%zz',
      '/api/v1/contracts/%',
      '/api/v1/my/contracts/%e',
      '/%c3%28',
      '/api/v1/contracts/%ff',
      '/docs/%zz',
    ])
      for (const lines of [[], linesOf(everyPermission, partyId)])
        expectProblem(await send({ target, lines }), 400, 'REQUEST_MALFORMED', target)
  })

  test('401 without and 404 with identity for an unknown path under the API (spec 7.5)', async () => {
    for (const target of [
      '/api/v1',
      '/api/v1/',
      '/api/v1/nothing',
      '/api/v1/my',
      '/api/v1/my/nothing',
      '/api/v1/contracts/x/y/z',
    ])
      for (const method of ['GET', 'POST', 'DELETE', 'PROPFIND', 'QUERY']) {
        const length = ['Content-Length: 0']
        expectProblem(await send({ method, target, lines: length }), 401, 'UNAUTHENTICATED', target)
        expectProblem(
          await send({ method, target, lines: [...linesOf([]), ...length] }),
          404,
          'NOT_FOUND',
          `${method} ${target}`,
        )
      }
    for (const target of [
      '/nothing',
      '/api',
      '/api/v2/contracts',
      '/favicon.ico',
      '/.git/config',
      '/metrics',
    ])
      expectProblem(await send({ target }), 404, 'NOT_FOUND', target)
  })

  test('no body is read for an unknown path: 401, 404 or 405 whatever it contains', async () => {
    const lines = ['Content-Type: application/json', 'Content-Length: 1']
    for (const [target, code] of [
      ['/api/v1/nothing', 404],
      ['/api/v1/me', 405],
    ] as const) {
      expectProblem(await send({ method: 'PUT', target, lines, body: '{' }), 401, 'UNAUTHENTICATED')
      const known = await send({
        method: 'PUT',
        target,
        lines: [...linesOf([]), ...lines],
        body: '{',
      })
      expect(known.status).toBe(code)
    }
  })

  test('404 with a hint for a near miss of a path', async () => {
    const hints: Record<string, string> = {
      '/api/v1/contract': 'GET /api/v1/contracts',
      '/api/v1/contracts/': 'GET /api/v1/contracts',
      '/api/v1//contracts': 'GET /api/v1/contracts',
      '/api/v1/Contracts': 'GET /api/v1/contracts',
      '/api/v1/my/contrats': 'GET /api/v1/my/contracts',
      [`/api/v1/contracts/${contractId}/aprove`]: 'POST /api/v1/contracts/{contract_id}/approve',
    }
    for (const [target, hint] of Object.entries(hints)) {
      const answer = await send({ target, lines: linesOf([]) })
      expectProblem(answer, 404, 'NOT_FOUND', target)
      expect(answer.body.detail, target).toContain(`Did you mean ${hint}?`)
    }
  })

  test('405 METHOD_NOT_ALLOWED with Allow for a wrong method, on API and public paths', async () => {
    const allowed: Record<string, string> = {
      '/api/v1/contracts': 'GET, HEAD, POST',
      [`/api/v1/contracts/${contractId}`]: 'GET, HEAD, PATCH',
      '/api/v1/contracts/x/approve': 'POST',
      '/api/v1/my/contracts': 'GET, HEAD',
      '/api/v1/me': 'GET, HEAD',
      '/api/v1/openapi.json': 'GET, HEAD',
      '/healthz': 'GET, HEAD',
      '/docs/': 'GET, HEAD',
    }
    for (const [target, methods] of Object.entries(allowed)) {
      for (const method of ['PUT', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'OPTIONS']) {
        const answer = await send({ method, target, lines: linesOf([]) })
        expectProblem(answer, 405, 'METHOD_NOT_ALLOWED', `${method} ${target}`)
        if (method !== 'OPTIONS') expect(headerOf(answer, 'allow'), target).toBe(methods)
      }
    }
  })

  test('X-HTTP-Method-Override and its kin change nothing (rule 10)', async () => {
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const lines = [...linesOf(everyPermission), `${name}: POST`]
      const target = `/api/v1/contracts/${contractId}/approve?_method=POST`
      expectProblem(await send({ target, lines }), 405, 'METHOD_NOT_ALLOWED', name)
      const read = await send({ target: `/api/v1/contracts/${contractId}`, lines })
      expect(read.body.state).toBe('PENDING_APPROVAL')
    }
    for (const name of ['X-Original-URL', 'X-Rewrite-URL', 'X-Forwarded-Prefix']) {
      if (mode === 'developer' && name.startsWith('X-Forwarded')) continue
      const lines = [...linesOf([]), `${name}: /api/v1/contracts`]
      expect((await send({ lines })).body.username, name).toBe('ana')
    }
  })

  test('406 NOT_ACCEPTABLE where no representation fits, else JSON', async () => {
    const target = '/api/v1/contracts'
    for (const accept of [
      'text/html',
      'application/xml, text/*',
      'application/jsonx',
      'image/png;q=1',
    ])
      expectProblem(
        await send({ target, lines: [...linesOf(['contract:read']), `Accept: ${accept}`] }),
        406,
        'NOT_ACCEPTABLE',
        accept,
      )
    for (const accept of [
      '*/*',
      'application/*',
      'application/json',
      'text/html, */*;q=0.1',
      'APPLICATION/JSON; q=1',
      '',
    ]) {
      const answer = await send({
        target,
        lines: [...linesOf(['contract:read']), `Accept: ${accept}`],
      })
      expect(answer.status, accept).toBe(200)
      expect(headerOf(answer, 'content-type')).toBe('application/json; charset=utf-8')
    }
  })

  test('400 names an unknown query parameter and the one that was meant', async () => {
    const answer = await send({
      target: '/api/v1/contracts?limt=5',
      lines: linesOf(['contract:read']),
    })
    expectProblem(answer, 400, 'VALIDATION_FAILED')
    expect(answer.body.errors).toMatchObject([
      { pointer: '/query/limt', code: 'UNKNOWN_PARAMETER' },
    ])
    expect(answer.body.detail).toContain('Did you mean "limit"?')
    for (const query of [
      '__proto__=1',
      'constructor[x]=1',
      'limit=1&limit=2',
      'limit[]=1',
      'q=%00',
      'state=',
      'x',
    ])
      expectProblem(
        await send({ target: `/api/v1/contracts?${query}`, lines: linesOf(['contract:read']) }),
        400,
        'VALIDATION_FAILED',
        query,
      )
  })
})

describe.each([
  ['ops', '/api/v1/my/contracts', '/api/v1/contracts'],
  ['customer', '/api/v1/contracts', '/api/v1/my/contracts'],
] as const)('a process of surface %s', (surface, foreign, own) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode: 'token', env: { TFS_SURFACE: surface } })
  })
  afterAll(() => host.close())

  test('404 for every route and the document of the other surface (spec 1.4)', async () => {
    const all = host.as('ana', { permissions: everyPermission, partyId: 'pty_any' })
    expectProblem(await all.get(foreign), 404, 'NOT_FOUND')
    expect((await all.get(own)).status).toBe(200)
    const documents = { ops: '/api/v1/openapi.json', customer: '/api/v1/my/openapi.json' }
    expect((await host.stranger.get(documents[surface])).status).toBe(200)
    const other = surface === 'ops' ? documents.customer : documents.ops
    expectProblem(await host.stranger.get(other), 401, 'UNAUTHENTICATED')
    expectProblem(await all.get(other), 404, 'NOT_FOUND')
  })
})
