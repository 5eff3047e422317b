import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerOf, bearerFor, type TestBearer } from '../../../test/bearer.ts'
import { startTestIssuer, type TestIssuer } from '../../../test/issuer.ts'
import { encoded } from '../../../test/issuer-keys.ts'
import { steppedClock } from '../../../test/stepped-clock.ts'
import { Problem } from '../../base/errors.ts'

const { clock } = steppedClock()
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
let issuer: TestIssuer
let bearer: TestBearer
let good: string

beforeAll(async () => {
  issuer = await startTestIssuer({ clock })
  bearer = bearerFor(issuer, { clock })
  await bearer.start()
  good = issuer.token({ realm_access: { roles: ['contract:read'] } })
  // In the cache, so that a mutation that would be taken for the original is found out.
  await bearer.identify(good)
})

afterAll(async () => {
  bearer.stop()
  await issuer.stop()
})

async function requireRefused(token: string): Promise<void> {
  for (const answer of [await answerOf(bearer, token), await answerOf(bearer, token)]) {
    expect(answer).toBeInstanceOf(Problem)
    expect((answer as Problem).status).toBe(401)
  }
}

test('401 for every change of one letter, in header, payload and signature', async () => {
  const position = fc.nat({ max: good.length - 1 })
  const letter = fc.constantFrom(...`${BASE64URL}.=+/ \n\0é`)
  await fc.assert(
    fc.asyncProperty(position, letter, async (at, other) => {
      fc.pre(good[at] !== other)
      await requireRefused(good.slice(0, at) + other + good.slice(at + 1))
    }),
    { numRuns: 1500 },
  )
})

test('401 for every letter left out, doubled or moved', async () => {
  const position = fc.nat({ max: good.length - 1 })
  await fc.assert(
    fc.asyncProperty(position, position, async (from, to) => {
      const without = good.slice(0, from) + good.slice(from + 1)
      const moved = without.slice(0, to) + good[from] + without.slice(to)
      await requireRefused(without)
      await requireRefused(`${good.slice(0, from)}${good[from]}${good.slice(from)}`)
      if (moved !== good) await requireRefused(moved)
    }),
    { numRuns: 300 },
  )
})

test('401 or 403 for any claims without a signature of ours, never a fault', async () => {
  const [header, , signature] = good.split('.') as [string, string, string]
  await fc.assert(
    fc.asyncProperty(fc.json(), async (payload) => {
      await requireRefused(`${header}.${encoded(payload)}.${signature}`)
    }),
    { numRuns: 300 },
  )
})

test('any header: refused, or as good as ours and then verified', async () => {
  const members = ['alg', 'kid', 'typ', 'jku', 'x5u', 'jwk', 'x5c', 'crit', 'b64', 'zip', 'cty']
  const header = fc.dictionary(fc.constantFrom(...members, 'x', '__proto__'), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(header, async (spoilt) => {
      fc.pre(Object.keys(spoilt).length > 0)
      const isHarmless = Object.keys(spoilt).every((name) => name === 'x' || name === '__proto__')
      const answer = await answerOf(bearer, issuer.token({}, spoilt))
      if (isHarmless) expect(answer).not.toBeInstanceOf(Problem)
      else expect(answer).toMatchObject({ code: 'TOKEN_INVALID' })
    }),
    { numRuns: 500 },
  )
})

test('any claims, truly signed: a caller or a refusal, twice the same, never a fault', async () => {
  const names = ['exp', 'iat', 'nbf', 'sub', 'aud', 'azp', 'typ', 'sid', 'act', 'realm_access']
  const more = ['preferred_username', 'partyId', 'partnerId', 'impersonator', 'iss', 'cnf']
  const claims = fc.dictionary(fc.constantFrom(...names, ...more), fc.jsonValue())
  await fc.assert(
    fc.asyncProperty(claims, async (spoilt) => {
      const token = issuer.token(spoilt)
      const first = await answerOf(bearer, token)
      const second = await answerOf(bearer, token)
      if (!(first instanceof Problem)) {
        expect(second).toBe(first)
        return
      }
      expect([401, 403]).toContain(first.status)
      expect(first).not.toMatchObject({ reason: 'UNVERIFIABLE' })
      expect((second as Problem).detail).toBe(first.detail)
    }),
    { numRuns: 500 },
  )
})

test('401 for any text at all', async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), requireRefused), {
    numRuns: 500,
  })
})
