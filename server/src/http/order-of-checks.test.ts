import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost, type Who } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { type RawAnswer, sendRaw } from '../../test/raw.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import { STORE_KINDS } from '../../test/stores.ts'

const WRITES_PER_SECOND = 20

interface Sending {
  readonly lines: readonly string[]
  readonly body?: string
  readonly method?: string
  readonly target?: string
}

/** Platform contract, section 2: each request here is wrong in its own step and in every later one. */
describe.each(STORE_KINDS)('the order of checks on %s', (store) => {
  const { clock, step } = steppedClock(Date.now())
  let host: Host
  let partyId: string
  let pending: string
  let decided: string
  let draft: string
  beforeAll(async () => {
    host = await startHost({
      mode: 'token',
      store,
      clock,
      env: { TFS_RATE_LIMIT_WRITES: String(WRITES_PER_SECOND) },
    })
    const paul = host.as('paul', ...PREPARING)
    partyId = await createParty(paul)
    pending = await createContract(paul, newContract(partyId))
    decided = await createContract(paul, newContract(partyId))
    draft = await createContract(paul, newContract(partyId, { draft: true }))
    const key = { 'idempotency-key': 'first' }
    await host.as('ana', 'contract:approve').post(`/contracts/${decided}/approve`, {}, key)
    step(10)
  })
  afterAll(() => host.close())

  const as = (username: string, who: Who = {}): string =>
    `Authorization: ${host.headersOf(username, who)['authorization']}`
  const approver: Who = { permissions: ['contract:approve'] }
  const WRONG_VERSION = 'If-Match: "99"'
  const BROKEN = '{"comment":'
  const JSON_TYPE = 'Content-Type: application/json'

  function send({ lines, body = '', method = 'POST', target }: Sending): Promise<RawAnswer> {
    const length = lines.some((line) => /^content-length/i.test(line))
      ? []
      : [`Content-Length: ${Buffer.byteLength(body)}`]
    const path = target ?? `/api/v1/contracts/${decided}/approve`
    return sendRaw(host.port, { method, target: path, lines: [...lines, ...length], body })
  }

  test('2 developer headers come before limits and credentials (rule 12)', async () => {
    const fillers = Array.from({ length: 120 }, (_, i) => `x-filler-${i}: y`)
    const answer = await send({ lines: [...fillers, 'Content-Length: 999999', 'x-dev-user: a'] })
    expectProblem(answer, 400, 'MSG-G-12')
  })

  test('3 limits come before credentials', async () => {
    const fillers = Array.from({ length: 120 }, (_, i) => `x-filler-${i}: y`)
    expectProblem(await send({ lines: fillers }), 431, 'HEADERS_TOO_LARGE')
    expectProblem(await send({ lines: ['Content-Length: 999999'] }), 413, 'PAYLOAD_TOO_LARGE')
  })

  test('4 credentials come before rate, permission and input', async () => {
    const twice = [as('ana', approver), as('ana', approver)]
    expectProblem(await send({ lines: twice, body: BROKEN }), 400, 'AUTHORIZATION_MALFORMED')
    expectProblem(await send({ lines: [], body: BROKEN }), 401, 'UNAUTHENTICATED')
    expectProblem(
      await send({ lines: ['Authorization: Bearer x'], body: BROKEN }),
      401,
      'TOKEN_INVALID',
    )
  })

  test('5 the rate comes before the permission, 6 the permission before the input', async () => {
    const lines = [as('eager'), 'Content-Type: text/plain', WRONG_VERSION]
    const codes: (string | undefined)[] = []
    for (let i = 0; i <= 2 * WRITES_PER_SECOND; i++)
      codes.push((await send({ lines, body: BROKEN })).code)
    expect(codes.at(-1)).toBe('RATE_LIMITED')
    expect(new Set(codes.slice(0, -1))).toEqual(new Set(['PERMISSION_MISSING']))
  })

  test('7 input comes before idempotency, existence and four-eyes', async () => {
    const unknown = '/api/v1/contracts/unknown/approve'
    const own = as('paul', approver)
    expectProblem(
      await send({ lines: [own, JSON_TYPE], body: BROKEN, target: unknown }),
      400,
      'VALIDATION_FAILED',
    )
    const plain = [own, 'Content-Type: text/plain', WRONG_VERSION]
    expectProblem(
      await send({ lines: plain, body: 'x', target: unknown }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    )
    expectProblem(await send({ lines: [own, 'If-Match: garbage'] }), 400, 'VALIDATION_FAILED')
    const keyed = [as('ana', approver), JSON_TYPE, 'Idempotency-Key: first']
    expectProblem(await send({ lines: keyed, body: '{"comment":7}' }), 400, 'VALIDATION_FAILED')
  })

  test('8 idempotency comes before the state and the version', async () => {
    const lines = [as('ana', approver), JSON_TYPE, 'Idempotency-Key: first', WRONG_VERSION]
    expectProblem(await send({ lines, body: '{"comment":"other"}' }), 422, 'IDEMPOTENCY_KEY_REUSED')
    const replay = await send({ lines, body: '{}' })
    expect(replay.status).toBe(200)
    expect(replay.headers.get('idempotent-replayed')).toEqual(['true'])
  })

  test('9 existence comes before the version, for callers of every kind', async () => {
    const target = '/api/v1/contracts/unknown/approve'
    for (const name of ['paul', 'ana', 'service-account-x'])
      expectProblem(
        await send({ lines: [as(name, approver), WRONG_VERSION], target }),
        404,
        'NOT_FOUND',
      )
  })

  test('10 four-eyes comes before the state, then that only people decide (spec 5.5.4)', async () => {
    expectProblem(
      await send({ lines: [as('paul', approver), WRONG_VERSION] }),
      409,
      'FOUR_EYES_SAME_USER',
    )
    const machine = [as('service-account-x', approver), WRONG_VERSION]
    expectProblem(await send({ lines: machine }), 403, 'HUMAN_APPROVER_REQUIRED')
  })

  test('11 the state comes before the version, 12 the version before business rules', async () => {
    expectProblem(
      await send({ lines: [as('ben', approver), WRONG_VERSION] }),
      409,
      'ALREADY_DECIDED',
    )
    const target = `/api/v1/contracts/${pending}/approve`
    expectProblem(
      await send({ lines: [as('ben', approver), WRONG_VERSION], target }),
      412,
      'VERSION_CONFLICT',
    )
    const edit = (version: string): Promise<RawAnswer> =>
      send({
        lines: [as('paul', { permissions: [...PREPARING] }), JSON_TYPE, `If-Match: ${version}`],
        body: '{"partyId":"unknown"}',
        method: 'PATCH',
        target: `/api/v1/contracts/${draft}`,
      })
    expectProblem(await edit('"99"'), 412, 'VERSION_CONFLICT')
    expectProblem(await edit('"1"'), 422, 'RULE_VIOLATED')
  })
})
