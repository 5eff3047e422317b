import { setTimeout as after } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorsOf } from '../src/http/openapi.ts'
import type { Route } from '../src/http/route.ts'
import { allRoutes, errorCatalogue } from '../src/surfaces.ts'
import { badTokens } from './bad-tokens.ts'
import { type Host, type HostMode, startHost, type Who } from './host.ts'
import { preparedFor } from './prepared-items.ts'
import { expectProblem } from './problems.ts'
import { type RawAnswer, requestBytes, sendBytes } from './raw.ts'
import { newContract, newPerson } from './samples.ts'
import type { StoreKind } from './stores.ts'
import { type TableDigests, tableDigests } from './table-digest.ts'
import { everyPermission, leastBodyOf, type Parameters } from './walk.ts'

/** Anything at all, on every route: never a 5xx, and a refusal changes no row. */

const SITUATIONS: readonly (readonly [HostMode, StoreKind])[] = [
  ['developer', 'embedded'],
  ['token', 'postgres'],
]
const RUNS_PER_SITUATION = 250

interface Attempt {
  readonly routeId: string
  readonly parameters: Readonly<Record<string, string>>
  readonly query: string
  readonly lines: readonly string[]
  readonly who: Who | 'stranger' | 'bad token'
  readonly body: Buffer | undefined
}

const header = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)),
    maxLength: 60,
  })
  .filter((text) => !text.includes('\x7f'))
const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    'null',
    '-1',
    '1e400',
    '__proto__',
    "' or 1=1 --",
    '\u0000',
    '\ud800',
    '%00',
    '2026-02-30',
    '9'.repeat(30),
  ),
)
const mostly = <T>(usual: T, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare })

const READ_HEADERS = [
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Accept',
  'X-Request-Id',
  'Last-Event-ID',
  'Origin',
  'Range',
  'Content-Encoding',
  'Cookie',
] as const
const lines = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(['If-Match: *'], ['If-Match: "1"'], []) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc
        .tuple(fc.constantFrom(...READ_HEADERS), header)
        .map(([name, value]) => `${name}: ${value}`),
      { maxLength: 4 },
    ),
  },
)
const everything = [...everyPermission]
const who: fc.Arbitrary<Attempt['who']> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ permissions: everything }) },
  { weight: 1, arbitrary: fc.constantFrom('stranger' as const, 'bad token' as const) },
  { weight: 1, arbitrary: fc.record({ permissions: fc.subarray(everything) }) },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        permissions: fc.constant(everything),
        partyId: fc.constantFrom('pty_any', 'PARTY'),
        partnerId: fc.constantFrom('ptn_any', 'PARTNER'),
      },
      { requiredKeys: ['permissions'] },
    ) as fc.Arbitrary<Who>,
  },
)

/** The route's own parameters with any values, and a few of nobody's. */
function queryOf(route: Route): fc.Arbitrary<string> {
  const properties = (route.query as { properties?: object } | undefined)?.properties ?? {}
  const names = [...Object.keys(properties), 'dryRun', 'limit', 'cursor', '__proto__', 'x']
  const value = fc.oneof(
    odd,
    fc.constantFrom('1', '200', 'true', '-createdAt', 'DRAFT', 'pty_any', '2026-01-01', 'decide'),
  )
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 })
  const anything = pairs.map((all) =>
    all.map(([name, text]) => `${name}=${encodeURIComponent(text.toWellFormed())}`).join('&'),
  )
  return mostly(
    '',
    route.kind === 'command' ? fc.oneof(fc.constant('dryRun=true'), anything) : anything,
  )
}

/** A body that fits, one of its members gone wrong, any JSON, or any bytes. */
function bodyOf(route: Route): fc.Arbitrary<Buffer | undefined> {
  if (route.method === 'GET') return fc.constant(undefined)
  const samples = [leastBodyOf(route), newPerson(), newContract('PARTY'), {}]
  const fitting = fc.constantFrom(...samples.map((sample) => sample ?? {}))
  const wrong = fc
    .tuple(fitting, fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }))
    .map(([sample, name, value]) => ({ ...(sample as object), [name]: value }))
  const spoiled = fc
    .tuple(fitting, fc.jsonValue({ maxDepth: 2 }), fc.nat())
    .map(([sample, value, at]) => {
      const names = Object.keys(sample as object)
      return names.length === 0
        ? value
        : { ...(sample as object), [names[at % names.length] as string]: value }
    })
  const json = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> =>
    values.map((value) => Buffer.from(JSON.stringify(value)))
  return fc.oneof(
    { weight: 4, arbitrary: json(fc.constant(leastBodyOf(route) ?? {})) },
    { weight: 3, arbitrary: json(fc.oneof(fitting, wrong, spoiled)) },
    { weight: 1, arbitrary: json(fc.jsonValue()) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 2, arbitrary: fc.constant(undefined) },
  )
}

const PARAMETERS = ['contract_id', 'party_id', 'partner_id', 'change_id'] as const
const attempt: fc.Arbitrary<Attempt> = fc.constantFrom(...allRoutes).chain((route) =>
  fc.record({
    // Only the name, so that a counterexample can be read.
    routeId: fc.constant(route.id),
    parameters: mostly({}, fc.dictionary(fc.constantFrom(...PARAMETERS), odd, { maxKeys: 2 })),
    query: queryOf(route),
    lines,
    who,
    body: bodyOf(route),
  }),
)

const LONGEST_WAIT_MS = 250

describe.each(SITUATIONS)('random requests in %s mode on %s', (mode, store) => {
  let host: Host
  let items: Parameters = {}
  beforeAll(async () => {
    host = await startHost({ mode, store })
    for (const route of allRoutes.filter(({ fourEyes }) => fourEyes))
      items = { ...items, ...(await preparedFor(route, host, 'paul')) }
  })
  afterAll(() => host.close())

  async function identityOf({ who }: Attempt): Promise<readonly string[]> {
    if (who === 'stranger') return []
    if (who === 'bad token') {
      const bad = badTokens.filter(({ overHttp }) => overHttp)[host.logLines.length % 40]
      return host.issuer && bad
        ? [`Authorization: Bearer ${await bad.make(host.issuer)}`]
        : ['Authorization: Bearer x']
    }
    const linked: Who = {
      ...who,
      ...(who.partyId === 'PARTY' && { partyId: items['party_id'] ?? '' }),
      ...(who.partnerId === 'PARTNER' && { partnerId: items['partner_id'] ?? '' }),
    }
    return Object.entries(host.headersOf('ana', linked)).map(([name, value]) => `${name}: ${value}`)
  }

  async function sent(given: Attempt): Promise<RawAnswer> {
    const { body, query } = given
    const route = routeOf(given)
    const path = route.path.replace(/:([^/]+)/g, (_, name: string) =>
      encodeURIComponent((given.parameters[name] ?? items[name] ?? 'unknown').toWellFormed()),
    )
    const content =
      body &&
      Buffer.from(body.toString('latin1').replaceAll('PARTY', items['party_id'] ?? ''), 'latin1')
    const bytes = requestBytes({
      // A stream would go on for ever.
      method: route.streams === undefined ? route.method : 'HEAD',
      target: `/api/v1${path}${query === '' ? '' : `?${query}`}`,
      lines: [
        ...(await identityOf(given)),
        ...given.lines,
        ...(content === undefined
          ? []
          : ['Content-Type: application/json', `Content-Length: ${content.length}`]),
        'Connection: close',
      ],
      body: content ?? '',
    })
    return sendBytes(host.port, bytes, route.streams === undefined ? route.method : 'HEAD')
  }

  test('never a 5xx, always a declared problem, never a changed row after a refusal (spec 7.3, rule 11)', async () => {
    let before: TableDigests = await tableDigests(host.store)
    let refused = 0
    await fc.assert(
      fc.asyncProperty(attempt, async (given) => {
        const answer = await sent(given)
        const route = routeOf(given)
        expect(answer.status, answer.text).toBeLessThan(500)
        if (answer.status >= 400 && answer.code !== undefined) {
          refused += 1
          expectProblem(answer, answer.status, answer.code, route.id)
          const declared = [...errorsOf(route), ...unknownPathErrors].map(({ code }) => code)
          expect(declared, route.id).toContain(answer.code)
        }
        if (route.kind === 'query') return
        const after = await tableDigests(host.store)
        if (answer.status >= 400 || answer.body?.dryRun === true)
          expect(after, answer.text).toEqual(before)
        before = after
        if (answer.status < 300 && route.fourEyes && answer.body?.dryRun === undefined) {
          items = { ...items, ...(await preparedFor(route, host, 'paul')) }
          before = await tableDigests(host.store)
        }
      }),
      {
        numRuns: RUNS_PER_SITUATION,
        interruptAfterTimeLimit: 20_000,
        markInterruptAsFailure: false,
      },
    )
    expect(refused).toBeGreaterThan(20)
    expect(host.logLines.filter((line) => line.includes('"msg":"fault"'))).toEqual([])
  })

  test('never a 5xx and never a row for any bytes in the place of a request (rule 9)', async () => {
    const before = await tableDigests(host.store)
    const word = fc.constantFrom(
      'GET',
      'POST',
      ' ',
      '/',
      '/api/v1/parties',
      'HTTP/1.1',
      '\r\n',
      '\n',
      'Host: localhost',
      ':',
      'Content-Length: 2',
      'Transfer-Encoding: chunked',
      '{}',
      '0\r\n\r\n',
      '\0',
      '%zz',
      'x-dev-user: ana',
    )
    const noise = fc.oneof(
      fc.array(word, { maxLength: 14 }).map((words) => Buffer.from(words.join(''), 'latin1')),
      fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(noise, async (bytes) => {
        const whole = Buffer.concat([bytes, Buffer.from('\r\n\r\n')])
        // Noise that reads like the beginning of a request is waited for: that is no answer yet.
        const answered = sendBytes(host.port, whole).catch(() => undefined)
        const answer = await Promise.race([answered, after(LONGEST_WAIT_MS, undefined)])
        if (answer) expect(answer.status, answer.text).toBeLessThan(500)
      }),
      { numRuns: 60 },
    )
    expect(await tableDigests(host.store)).toEqual(before)
  })
})

function routeOf({ routeId }: Attempt): Route {
  return allRoutes.find(({ id }) => id === routeId) as Route
}

/** A random parameter can make a path that is no route's any more. */
const unknownPathErrors = errorCatalogue.filter(({ code }) =>
  ['NOT_FOUND', 'METHOD_NOT_ALLOWED'].includes(code),
)
