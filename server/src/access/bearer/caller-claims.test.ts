import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOf, bearerFor, codeOf, type TestBearer } from '../../../test/bearer.ts'
import { type Members, startTestIssuer, type TestIssuer } from '../../../test/issuer.ts'
import { steppedClock } from '../../../test/stepped-clock.ts'
import type { Caller } from '../caller.ts'

const REALM = 'embedded:tfs'
const { clock } = steppedClock()
let issuer: TestIssuer
let bearer: TestBearer

beforeAll(async () => {
  issuer = await startTestIssuer({ clock })
  bearer = bearerFor(issuer, { clock, realm: REALM, personClaim: 'employeeNumber' })
})

afterAll(async () => {
  bearer.stop()
  await issuer.stop()
})

async function callerOf(claims: Members): Promise<Caller> {
  return (await answerOf(bearer, issuer.token(claims))) as Caller
}

describe('the caller of a token', () => {
  test('has what the claims say and nothing else', async () => {
    const caller = await callerOf({ sub: 'u-1', sid: 's-1', partyId: 'pty_1', partnerId: 'ptn_1' })
    expect(caller).toEqual({
      subject: `${REALM}#u-1`,
      username: 'ana',
      human: true,
      permissions: caller.permissions,
      partyId: 'pty_1',
      partnerId: 'ptn_1',
      clientId: 'tfs-ops',
      sessionId: 's-1',
      issuer: issuer.issuer,
      mode: 'token',
      expiresAt: issuer.now() + 300,
    })
    expect([...caller.permissions]).toEqual(['contract:read', 'contract:approve'])
  })

  test('has the issuer in its subject where no realm replaces it', async () => {
    const plain = bearerFor(issuer, { clock })
    const caller = (await answerOf(plain, issuer.token({ sub: 'u-1' }))) as Caller
    expect(caller.subject).toBe(`${issuer.issuer}#u-1`)
  })

  test('has no members for what the token does not say', async () => {
    const caller = await callerOf({ azp: undefined, sid: 7 })
    for (const name of ['partyId', 'partnerId', 'clientId', 'sessionId', 'actor', 'person']) {
      expect(caller).not.toHaveProperty(name)
    }
  })

  test('keeps only known permissions, each once, of the strings among the roles', async () => {
    const roles = ['offline_access', 'party:create', 1, null, 'party:create', 'party:create ']
    const caller = await callerOf({ realm_access: { roles } })
    expect([...caller.permissions]).toEqual(['party:create'])
  })

  test('has no permission that is no string, even where every code is known', async () => {
    const own = bearerFor(issuer, { clock, isKnown: () => true })
    const roles = ['a:b', 1, null, ['c:d'], { e: 'f' }, true]
    const caller = (await answerOf(own, issuer.token({ realm_access: { roles } }))) as Caller
    expect([...caller.permissions]).toEqual(['a:b'])
  })

  test('cannot be changed by whoever is served with it', async () => {
    const caller = await callerOf({ act: { sub: 'u-9' } })
    const permissions = caller.permissions as Set<string>
    expect(Object.isFrozen(caller) && Object.isFrozen(caller.actor)).toBe(true)
    expect(() => permissions.add('audit:read')).toThrow(TypeError)
    expect(() => permissions.delete('contract:read')).toThrow(TypeError)
    expect(() => permissions.clear()).toThrow(TypeError)
    expect(permissions.size).toBe(2)
  })
})

describe('human', () => {
  test.each([
    ['ana', true],
    ['service', true],
    ['service-account-tfs-partner-acme', false],
    ['Service-Account-x', false],
    [' ', false],
    ['', false],
    [7, false],
    [null, false],
    [undefined, false],
  ])('user name %j: %s', async (name, human) => {
    const caller = await callerOf({ sub: 'u-1', preferred_username: name })
    expect(caller.human).toBe(human)
    const isName = typeof name === 'string' && name.trim() !== ''
    expect(caller.username).toBe(isName ? name : 'u-1')
  })
})

describe('an impersonated session', () => {
  const admin = { subject: `${REALM}#u-9`, username: 'root' }
  test.each<[string, Members, Caller['actor']]>([
    ['act', { act: { sub: 'u-9', preferred_username: 'root' } }, admin],
    ['act without a name', { act: { sub: 'u-9' } }, { subject: `${REALM}#u-9` }],
    [
      'a chain of act: the latest',
      { act: { sub: 'u-9', act: { sub: 'u-8' } } },
      { subject: `${REALM}#u-9` },
    ],
    ['the note of Keycloak', { impersonator: { id: 'u-9', username: 'root' } }, admin],
    ['its flat spelling', { impersonator_id: 'u-9', impersonator_username: 'root' }, admin],
    ['its dotted spelling', { 'impersonator.id': 'u-9', 'impersonator.username': 'root' }, admin],
    ['its raw spelling', { IMPERSONATOR_ID: 'u-9', IMPERSONATOR_USERNAME: 'root' }, admin],
    ['its camel case', { impersonatorId: 'u-9', impersonatorUsername: 'root' }, admin],
    ['a name alone', { impersonator: 'root' }, { subject: `${REALM}#`, username: 'root' }],
    ['its client alone', { impersonator: { client: 'x' } }, { subject: `${REALM}#` }],
  ])('is recognised by %s', async (_, claims, actor) => {
    expect((await callerOf(claims)).actor).toEqual(actor)
  })

  test.each([null, true, 1, '', 'root', [], {}, { sub: 7 }, { sub: '' }, { sub: 'a\0' }])(
    'is one even when act is %j',
    async (act) => {
      expect((await callerOf({ act })).actor).toEqual({ subject: `${REALM}#` })
    },
  )

  test('is none because of who may act', async () => {
    expect(await callerOf({ may_act: { sub: 'u-9' }, actor: 'x' })).not.toHaveProperty('actor')
  })
})

describe('the person behind several accounts', () => {
  test.each([
    ['4711', '4711'],
    [4711, '4711'],
  ])('%j is %j', async (employeeNumber, person) => {
    expect((await callerOf({ employeeNumber })).person).toBe(person)
  })

  test.each([null, '', ' ', [], ['4711'], {}, true, 'x'.repeat(256)])(
    '401 when the claim is %j: read as absent it would weaken four-eyes',
    async (employeeNumber) => {
      expect(await codeOf(bearer, issuer.token({ employeeNumber }))).toBe('TOKEN_INVALID')
    },
  )

  test('a claim that is set to be called constructor is absent, not a function', async () => {
    const own = bearerFor(issuer, { clock, personClaim: 'constructor' })
    expect(await answerOf(own, issuer.token())).not.toHaveProperty('person')
  })
})

describe('the list of clients', () => {
  test.each([
    ['tfs-ops', 'ACCEPTED'],
    ['tfs-portal', 'TOKEN_INVALID'],
    ['TFS-OPS', 'TOKEN_INVALID'],
    [undefined, 'TOKEN_INVALID'],
    [['tfs-ops'], 'TOKEN_INVALID'],
  ])('azp %j: %s', async (azp, code) => {
    const own = bearerFor(issuer, { clock, clients: ['tfs-ops', 'tfs-cli'] })
    expect(await codeOf(own, issuer.token({ azp }))).toBe(code)
  })
})

test('the longest life is the one that is set', async () => {
  const own = bearerFor(issuer, { clock, maxTokenLifeSeconds: 60 })
  const now = issuer.now()
  expect(await codeOf(own, issuer.token({ iat: now, exp: now + 60 }))).toBe('ACCEPTED')
  expect(await codeOf(own, issuer.token({ iat: now, exp: now + 61 }))).toBe('TOKEN_INVALID')
})
