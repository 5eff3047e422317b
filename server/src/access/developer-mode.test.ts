import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { type RawAnswer, type RawRequest, sendRaw } from '../../test/raw.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { codesOfRoute, everyPermission, guardedRoutes, targetOf } from '../../test/walk.ts'

describe('developer mode', () => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost()
    const paul = host.as('paul', ...PREPARING)
    partyId = await createParty(paul)
  })
  afterAll(() => host.close())

  const send = (lines: readonly string[], request: RawRequest = {}): Promise<RawAnswer> =>
    sendRaw(host.port, { ...request, lines })

  test('exactly the named permissions, taken verbatim (spec 5.6.3, rule 13)', async () => {
    const cases: Record<string, readonly string[]> = {
      'contract:read': ['contract:read'],
      ' contract:read ,party:create ': ['contract:read', 'party:create'],
      'contract:read,,contract:read': ['contract:read'],
      'CONTRACT:READ': ['CONTRACT:READ'],
      'contract:*,*,admin': ['*', 'admin', 'contract:*'],
      'made:up,__proto__': ['__proto__', 'made:up'],
      'contract:read contract:approve': ['contract:read contract:approve'],
    }
    for (const [value, permissions] of Object.entries(cases)) {
      const me = await send(['x-dev-user: ana', `x-dev-permissions: ${value}`])
      expect(me.body, value).toMatchObject({
        username: 'ana',
        subject: 'dev:ana',
        mode: 'developer',
      })
      expect(me.body.permissions, value).toEqual([...permissions].sort())
    }
    for (const value of [
      'CONTRACT:READ',
      'contract:*',
      '*',
      'contract:read contract:approve',
      'contract',
    ])
      expectProblem(
        await send([`x-dev-permissions: ${value}`], { target: '/api/v1/contracts' }),
        403,
        'PERMISSION_MISSING',
        value,
      )
  })

  test('no permission by default, on every route (spec 5.6.3, rule 13)', async () => {
    for (const route of guardedRoutes) {
      const request = { method: route.method, target: targetOf(route) }
      const answer = await send(['x-dev-user: ana', 'x-dev-party: p', 'Content-Length: 0'], request)
      expectProblem(answer, 403, 'PERMISSION_MISSING', route.id)
      expect(codesOfRoute(route)).toContain(answer.body.requiredPermission)
    }
  })

  test('callers without x-dev-user are one and the same person: dev (rule 13)', async () => {
    for (const lines of [
      ['x-dev-permissions: '],
      ['x-dev-user:'],
      ['x-dev-user:   '],
      ['x-dev-party: p'],
    ])
      expect((await send(lines)).body, lines[0]).toMatchObject({
        username: 'dev',
        subject: 'dev:dev',
      })
    const nobody = { 'x-dev-permissions': everyPermission.join() }
    const created = await host.stranger.post('/contracts', newContract(partyId), nobody)
    const path = `/contracts/${created.body.id}/approve`
    expectProblem(await host.stranger.post(path, {}, nobody), 409, 'FOUR_EYES_SAME_USER')
    const dev = await host.as('DEV', 'contract:approve').post(path)
    expectProblem(dev, 409, 'FOUR_EYES_SAME_USER')
    expect((await host.as('ana', 'contract:approve').post(path)).status).toBe(200)
  })

  test('x-dev-party selects the party whose contracts /my shows (spec 5.6.3, spec 4.3)', async () => {
    const paul = host.as('paul', ...PREPARING)
    const party = await createParty(paul)
    const id = await createContract(paul, newContract(party))
    const my = host.as('carla', { permissions: ['my:read'], partyId: party })
    const { items } = (await my.get('/my/contracts')).body
    expect(items.map((item: { id: string }) => item.id)).toEqual([id])
    const other = host.as('carla', { permissions: ['my:read'], partyId: 'pty_unknown' })
    expect((await other.get('/my/contracts')).body).toEqual({ items: [], nextCursor: null })
    expectProblem(await host.as('carla', 'my:read').get('/my/contracts'), 403, 'PARTY_REQUIRED')
  })

  test('403 for a link that is empty or too long, never read as absent', async () => {
    for (const value of ['', 'x'.repeat(65)]) {
      const permissions = `x-dev-permissions: ${everyPermission.join()}`
      for (const target of ['/api/v1/contracts', '/api/v1/my/contracts', '/api/v1/me']) {
        const party = await send([permissions, `x-dev-party: ${value}`], { target })
        expectProblem(party, 403, 'PARTY_REQUIRED', target)
        const partner = await send([permissions, `x-dev-partner: ${value}`], { target })
        expectProblem(partner, 403, 'PARTNER_REQUIRED', target)
      }
    }
  })

  test('400 for a header that is sent twice or names an overlong user', async () => {
    for (const name of ['x-dev-user', 'x-dev-party', 'x-dev-partner'])
      expectProblem(
        await send([`${name}: a`, `${name.toUpperCase()}: b`]),
        400,
        'AUTHORIZATION_MALFORMED',
      )
    const longest = 'n'.repeat(255)
    expect((await send([`x-dev-user: ${longest}`])).body.username).toBe(longest)
    expectProblem(await send([`x-dev-user: ${longest}n`]), 400, 'AUTHORIZATION_MALFORMED')
  })

  test('other spellings identify nobody', async () => {
    for (const name of ['x_dev_user', 'x-dev-users', 'X_Dev_Permissions', 'x-dev', 'x-dev-role'])
      expectProblem(await send([`${name}: ana`]), 401, 'UNAUTHENTICATED', name)
  })

  test('a trailer x-dev-user identifies nobody (rule 12)', async () => {
    const lines = [
      'Transfer-Encoding: chunked',
      'Trailer: x-dev-user',
      'Content-Type: application/json',
    ]
    const body = '2\r\n{}\r\n0\r\nx-dev-user: ana\r\nx-dev-permissions: party:create\r\n\r\n'
    const answer = await send(lines, { method: 'POST', target: '/api/v1/parties', body })
    expectProblem(answer, 401, 'UNAUTHENTICATED')
  })

  test('401 that says why for a bearer token alone; beside developer headers it is ignored', async () => {
    for (const target of ['/api/v1/contracts', '/api/v1/my/contracts', '/api/v1/nothing']) {
      const alone = await send(['Authorization: Bearer a.b.c'], { target })
      expectProblem(alone, 401, 'UNAUTHENTICATED')
      expect(alone.body.detail).toContain('cannot check a token')
      const nothing = await send([], { target })
      expectProblem(nothing, 401, 'UNAUTHENTICATED')
      expect(nothing.body.detail).toContain('x-dev-user')
    }
    for (const ignored of ['Bearer a.b.c', 'Bearer a b', 'Basic YTpi'])
      expect((await send(['x-dev-user: ana', `Authorization: ${ignored}`])).body.username).toBe(
        'ana',
      )
  })

  test('421 DEVELOPER_MODE_LOCAL_ONLY for a Host that is not this machine (spec 5.6.1)', async () => {
    for (const value of [
      'tfs.example.org',
      'localhost.evil.org',
      '10.0.0.1',
      '127.0.0.1.nip.io',
      '0.0.0.0',
      '[::]',
      '',
      '127.1',
      'localhost:99999',
      '169.254.1.1:80',
      'app.localhost',
    ])
      for (const target of [
        '/api/v1/me',
        '/api/v1/my/contracts',
        '/healthz',
        '/docs/',
        '/x/%zz',
        '/nothing',
      ])
        expectProblem(
          await send(['x-dev-user: ana', `Host: ${value}`], { target }),
          421,
          'DEVELOPER_MODE_LOCAL_ONLY',
          `${value} ${target}`,
        )
    for (const value of [
      'localhost',
      'LOCALHOST:8080',
      '127.0.0.1',
      '127.8.9.1:1',
      '[::1]',
      '[::1]:8080',
    ])
      expect((await send(['x-dev-user: ana', `Host: ${value}`])).status, value).toBe(200)
  })

  test('421 DEVELOPER_MODE_LOCAL_ONLY for a request that came through a proxy (spec 5.6.1)', async () => {
    for (const name of [
      'Forwarded',
      'X-Forwarded-For',
      'x-forwarded-host',
      'X-FORWARDED-PROTO',
      'X-Forwarded-Anything',
      'Via',
    ])
      for (const value of ['1.1 proxy', '127.0.0.1', ''])
        expectProblem(
          await send(['x-dev-user: ana', `${name}: ${value}`]),
          421,
          'DEVELOPER_MODE_LOCAL_ONLY',
          name,
        )
  })
})
