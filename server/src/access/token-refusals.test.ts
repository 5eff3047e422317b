import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { badTokens } from '../../test/bad-tokens.ts'
import type { TestAnswer } from '../../test/client.ts'
import { goodTokens, powerlessTokens } from '../../test/good-tokens.ts'
import { type Host, startHost } from '../../test/host.ts'
import type { TestIssuer } from '../../test/issuer.ts'
import { expectProblem, headerOf } from '../../test/problems.ts'
import { steppedClock } from '../../test/stepped-clock.ts'

/** One route of each surface. */
const TARGETS = ['/contracts', '/my/contracts'] as const

const { clock, step } = steppedClock(Date.now())
let host: Host
let issuer: TestIssuer

beforeAll(async () => {
  host = await startHost({ mode: 'token', clock })
  issuer = host.issuer as TestIssuer
})
afterAll(() => host.close())

const get = (target: string, token: string): Promise<TestAnswer> =>
  host.stranger.get(target, { authorization: `Bearer ${token}` })

async function refusalsCounted(code: string): Promise<number> {
  const metrics = await host.app.metrics.registry.getMetricsAsJSON()
  const counter = metrics.find(({ name }) => name === 'tfs_security_refusals_total')
  return counter?.values.find(({ labels }) => labels['code'] === code)?.value ?? 0
}

function securityLines(): { security: string; requestId: string; path: string }[] {
  return host.logLines.map((line) => JSON.parse(line)).filter((line) => 'security' in line)
}

describe.each(TARGETS)('tokens on %s', (target) => {
  test.each(badTokens.filter(({ overHttp }) => overHttp))(
    '$code for $name, twice in a row (spec 7.4, rule 1, rule 2, rule 3)',
    async ({ make, code }) => {
      const token = await make(issuer)
      for (const time of ['uncached', 'again']) {
        // A second has room for only so many lines.
        step(1)
        const [counted, told] = [await refusalsCounted(code), securityLines().length]
        const answer = await get(target, token)
        expectProblem(answer, code.startsWith('TOKEN') ? 401 : 403, code, time)
        expect(await refusalsCounted(code)).toBe(counted + 1)
        expect(securityLines().slice(told)).toMatchObject([
          { security: code, requestId: answer.body.requestId, path: `/api/v1${target}` },
        ])
        expectSilentAbout(token, answer)
        if (answer.status === 401)
          expect(headerOf(answer, 'www-authenticate')).toMatch(
            /^Bearer realm="tfs", error="invalid_token"/,
          )
      }
    },
  )

  test.each(goodTokens)(
    'no 401 for a token $name, uncached and cached (spec 5.1.2, rule 3)',
    async ({ make }) => {
      const token = make(issuer)
      const answers = [await get(target, token), await get(target, token)]
      for (const answer of answers) {
        expect([200, 403], answer.text).toContain(answer.status)
        expect(['PERMISSION_MISSING', 'PARTY_REQUIRED', undefined]).toContain(answer.code)
      }
      expect(answers[1]?.status).toBe(answers[0]?.status)
      for (const again of [1, 2]) expect((await get('/me', token)).status, `${again}`).toBe(200)
    },
  )

  test.each(powerlessTokens)(
    '403 PERMISSION_MISSING for $name, uncached and cached (spec 5.4.4, spec 5.5.2, rule 4)',
    async ({ make }) => {
      const token = make(issuer)
      for (const time of ['uncached', 'cached'])
        expectProblem(await get(target, token), 403, 'PERMISSION_MISSING', time)
      expect((await get('/me', token)).body.permissions).toEqual([])
    },
  )
})

/** Neither the token nor a piece of it, nor what it claims, is told to anyone. */
function expectSilentAbout(token: string, { text }: TestAnswer): void {
  const log = host.logLines.slice(-5).join('\n')
  const claims = ['a8f1c6de-3f0b-4a53-9d8e-0c2b7c1d5e11', '5d0c4d3e-7a57-4b0f-8d6b-bb1c0f3a9a10']
  const pieces = [...token.split('.').filter((part) => part.length > 8), ...claims]
  for (const piece of pieces) expect(text + log).not.toContain(piece)
  expect(log).not.toContain('"ana"')
}

test('the claims of a token say who calls: username, client, permissions (spec 5.4.2, spec 5.4.3, spec 5.4.4)', async () => {
  const token = issuer.token({
    realm_access: { roles: ['contract:read', 'offline_access', 'x:y'] },
  })
  for (const time of ['uncached', 'cached'])
    expect((await get('/me', token)).body, time).toMatchObject({
      username: 'ana',
      clientId: 'tfs-ops',
      permissions: ['contract:read'],
      subject: `${issuer.issuer}#a8f1c6de-3f0b-4a53-9d8e-0c2b7c1d5e11`,
      mode: 'token',
      impersonated: false,
    })
})

test('401 once a remembered token has expired, on both surfaces (rule 6)', async () => {
  const token = issuer.token({ partyId: 'pty_any' })
  for (const target of TARGETS) expect((await get(target, token)).status).toBe(200)
  step(311)
  for (const target of TARGETS) expectProblem(await get(target, token), 401, 'TOKEN_EXPIRED')
})

test('a known key is served while the provider is away; an unknown one is 503 with Retry-After (rule 8)', async () => {
  const known = issuer.token({ partyId: 'pty_any' })
  issuer.misbehave('down')
  await issuer.rotate()
  const unknown = issuer.token({ partyId: 'pty_any' })
  try {
    for (const target of [...TARGETS, ...TARGETS]) {
      expect((await get(target, known)).status).toBe(200)
      step(1)
      const told = securityLines().length
      const answer = await get(target, unknown)
      expectProblem(answer, 503, 'IDENTITY_PROVIDER_UNAVAILABLE')
      expect(Number(headerOf(answer, 'retry-after'))).toBeGreaterThanOrEqual(1)
      expect(securityLines().length).toBe(told + 1)
    }
  } finally {
    issuer.misbehave()
  }
  step(31)
  for (const target of TARGETS) expect((await get(target, unknown)).status).toBe(200)
})

test('a stranger cannot fill the log: beyond twenty lines a second refusals are only counted', async () => {
  step(2)
  const [counted, told] = [await refusalsCounted('UNAUTHENTICATED'), securityLines().length]
  for (let i = 0; i < 60; i++) await host.stranger.get(TARGETS[i % 2] as string)
  expect(securityLines().length - told).toBe(20)
  expect(await refusalsCounted('UNAUTHENTICATED')).toBe(counted + 60)
  step(1)
  await host.stranger.get('/contracts')
  const dropped = host.logLines.map((line) => JSON.parse(line)).filter((line) => 'dropped' in line)
  expect(dropped.at(-1)).toMatchObject({ dropped: 40 })
})

test('only clients on the list are accepted, where there is one (spec 5.4.2, rule 3)', async () => {
  const listed = await startHost({ mode: 'token', env: { OIDC_CLIENTS: 'tfs-ops,tfs-portal' } })
  const as = (azp: unknown) => listed.as('ana', { permissions: [], claims: { azp } })
  for (const again of [1, 2]) {
    expect((await as('tfs-ops').get('/me')).status, `${again}`).toBe(200)
    for (const azp of ['tfs-cli', 'TFS-OPS', undefined, 'tfs-ops ', ['tfs-ops']])
      expectProblem(await as(azp).get('/me'), 401, 'TOKEN_INVALID', `${azp}`)
  }
  await listed.close()
})
