import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'

describe.each(['token', 'developer'] as const)('readMe in %s mode', (mode) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ mode })
  })
  afterAll(() => host.close())

  test('200 says who the caller is taken for and what it may do (spec 5.1.2)', async () => {
    const who = {
      permissions: ['party:create', 'contract:read'],
      partyId: 'pty_1',
      partnerId: 'ptn_1',
    }
    const ana = host.as('ana', who)
    for (const again of [1, 2]) {
      const { status, body } = await ana.get('/me')
      expect(status, `${again}`).toBe(200)
      expect(body).toMatchObject({
        username: 'ana',
        permissions: ['contract:read', 'party:create'],
        partyId: 'pty_1',
        partnerId: 'ptn_1',
        impersonated: false,
        mode,
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
      })
      if (mode === 'token') expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now())
      else expect(body).not.toHaveProperty('expiresAt')
    }
  })

  test('roles that are no code are ignored in tokens and shown in developer mode (spec 5.5.2)', async () => {
    const { body } = await host
      .as('ana', 'contract:read', 'default-roles-tfs', 'made:up')
      .get('/me')
    expect(body.permissions).toEqual(
      mode === 'token' ? ['contract:read'] : ['contract:read', 'default-roles-tfs', 'made:up'],
    )
  })

  test('two people have two ids, one person has one', async () => {
    const idOf = async (name: string, ...permissions: string[]): Promise<string> =>
      (await host.as(name, ...permissions).get('/me')).body.id
    expect(await idOf('ana')).toBe(await idOf('ana', 'contract:read'))
    expect(await idOf('ana')).not.toBe(await idOf('ben'))
  })

  test('401 without identity', async () => {
    expectProblem(await host.stranger.get('/me'), 401, 'UNAUTHENTICATED')
  })
})
