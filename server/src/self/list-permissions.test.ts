import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { codesOfRoute, guardedRoutes } from '../../test/walk.ts'
import { API_PREFIX } from '../http/route.ts'
import { permissionCatalogue } from '../surfaces.ts'

describe.each(['token', 'developer'] as const)('listPermissions in %s mode', (mode) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode })
  })
  afterAll(() => host.close())

  test('the catalogue names every code and exactly the operations that it opens (spec 5.5.1)', async () => {
    const { body } = await host.as('ana').get('/permissions')
    const told = Object.fromEntries(
      body.items.map(({ code, operations }: { code: string; operations: { id: string }[] }) => [
        code,
        operations.map(({ id }) => id).sort(),
      ]),
    )
    const enforced = Object.fromEntries(
      Object.keys(permissionCatalogue).map((code) => [
        code,
        guardedRoutes
          .filter((route) => codesOfRoute(route).includes(code))
          .map(({ id }) => id)
          .sort(),
      ]),
    )
    expect(told).toEqual(enforced)
    expect(Object.keys(told)).toEqual(
      expect.arrayContaining(['party:create', 'contract:approve', 'report:prepare']),
    )
    for (const { meaning, operations } of body.items) {
      expect(meaning).toMatch(/\S/)
      for (const { path } of operations) expect(path.startsWith(`${API_PREFIX}/`)).toBe(true)
    }
  })

  test('every code of the platform contract is there, written <resource>:<action> (spec 5.5.1)', async () => {
    const { body } = await host.as('ana').get('/permissions')
    const codes: string[] = body.items.map(({ code }: { code: string }) => code)
    const named =
      'party:create party:read party:update party:approve party:erase partner:create partner:read partner:update partner:approve contract:create contract:read contract:update contract:approve contract:activate contract:settle contract:terminate report:prepare report:read report:approve audit:read event:read webhook:manage my:read my:request scope:partner'
    expect(codes).toEqual(expect.arrayContaining(named.split(' ')))
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[a-z]+:[a-z]+$/)
  })

  test('401 without identity', async () => {
    expectProblem(await host.stranger.get('/permissions'), 401, 'UNAUTHENTICATED')
  })
})
