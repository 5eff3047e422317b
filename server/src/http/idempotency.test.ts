import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, TestAnswer } from '../../test/client.ts'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { sendRaw } from '../../test/raw.ts'
import {
  createContract,
  createParty,
  newContract,
  newPerson,
  PREPARING,
} from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests, withoutPolicies } from '../../test/table-digest.ts'

const INVALID_KEYS = ['', ' ', 'two words', 'x'.repeat(256), 'naïve', 'tab\tinside']

describe.each(STORE_KINDS)('Idempotency-Key on %s', (store) => {
  let host: Host
  let paul: Client
  let partyId: string
  let keys = 0
  beforeAll(async () => {
    host = await startHost({ store, mode: 'token' })
    paul = host.as('paul', ...PREPARING)
    partyId = await createParty(paul)
  })
  afterAll(() => host.close())

  const newKey = (): string => `key-${++keys}`
  const create = (key: string, body: object = newPerson(), client = paul): Promise<TestAnswer> =>
    client.post('/parties', body, { 'idempotency-key': key })
  const isReplay = (answer: TestAnswer): boolean =>
    answer.headers.get('idempotent-replayed') === 'true'

  async function partiesNamed(lastName: string): Promise<number> {
    return (await paul.get(`/parties?q=Clara%20${lastName}`)).body.items.length
  }

  test('the first answer comes again, marked, and the work is done once', async () => {
    const key = newKey()
    const first = await create(key, newPerson('Once'))
    expect(first.status).toBe(201)
    expect(isReplay(first)).toBe(false)
    const before = await tableDigests(host.store)
    for (let i = 0; i < 3; i++) {
      const again = await create(key, newPerson('Once'))
      expect(again).toMatchObject({ status: 201, text: first.text })
      expect(isReplay(again)).toBe(true)
      for (const name of ['etag', 'location', 'cache-control', 'vary', 'content-type'])
        expect(again.headers.get(name), name).toBe(first.headers.get(name))
      expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
    expect(await tableDigests(host.store)).toEqual(before)
    expect(await partiesNamed('Once')).toBe(1)
  })

  test('the order of members does not make another request', async () => {
    const key = newKey()
    const first = await create(key, { type: 'PERSON', person: { firstName: 'A', lastName: 'B' } })
    const again = await create(key, { person: { lastName: 'B', firstName: 'A' }, type: 'PERSON' })
    expect(again.text).toBe(first.text)
    expect(isReplay(again)).toBe(true)
  })

  test('422 IDEMPOTENCY_KEY_REUSED for another body under the same key', async () => {
    const key = newKey()
    await create(key, newPerson('Eins'))
    expectProblem(await create(key, newPerson('Zwei')), 422, 'IDEMPOTENCY_KEY_REUSED')
    expect(await partiesNamed('Zwei')).toBe(0)
  })

  test('a refusal is not kept: the same key is decided afresh', async () => {
    const key = newKey()
    const refused = await paul.post('/contracts', newContract('pty_unknown'), {
      'idempotency-key': key,
    })
    expectProblem(refused, 422, 'RULE_VIOLATED')
    const done = await paul.post('/contracts', newContract(partyId), { 'idempotency-key': key })
    expect(done.status).toBe(201)
    expect(isReplay(done)).toBe(false)
    const id = await createContract(paul, newContract(partyId))
    const approving = { 'idempotency-key': newKey() }
    const self = host.as('paul', 'contract:approve')
    for (const again of [1, 2])
      expectProblem(
        await self.post(`/contracts/${id}/approve`, {}, approving),
        409,
        'FOUR_EYES_SAME_USER',
        `${again}`,
      )
  })

  test('a replay stands although the item has moved on', async () => {
    const id = await createContract(paul, newContract(partyId, { draft: true }))
    const key = { 'idempotency-key': newKey() }
    const submitted = await paul.post(`/contracts/${id}/submit`, undefined, key)
    await host.as('ana', 'contract:approve').post(`/contracts/${id}/approve`)
    const again = await paul.post(`/contracts/${id}/submit`, undefined, key)
    expect(again).toMatchObject({ status: 200, text: submitted.text })
    expectProblem(await paul.post(`/contracts/${id}/submit`), 409, 'INVALID_STATE')
  })

  test('another subject, another path and another key have a space of their own', async () => {
    const key = newKey()
    await create(key, newPerson('Space'))
    const namesake = host.as('paul', {
      permissions: [...PREPARING],
      claims: { sub: 'another-sub' },
    })
    for (const client of [host.as('ben', ...PREPARING), namesake]) {
      const other = await create(key, newPerson('Space'), client)
      expect(other.status).toBe(201)
      expect(isReplay(other)).toBe(false)
    }
    const contract = await paul.post('/contracts', newContract(partyId), { 'idempotency-key': key })
    expect(contract.status).toBe(201)
    expect(isReplay(await create(newKey(), newPerson('Space')))).toBe(false)
    expect(await partiesNamed('Space')).toBe(4)
  })

  test('403 instead of a replay once the permission is gone', async () => {
    const key = newKey()
    await create(key)
    expectProblem(
      await create(key, newPerson(), host.as('paul', 'party:read')),
      403,
      'PERMISSION_MISSING',
    )
  })

  test('a dry run ignores the key, even one that is none', async () => {
    const key = newKey()
    const dry = (sent: string) =>
      paul.post('/parties?dryRun=true', newPerson(), { 'idempotency-key': sent })
    for (const sent of [key, key, 'two words'])
      expect(await dry(sent)).toMatchObject({ status: 200, body: { dryRun: true } })
    const done = await create(key)
    expect(done.status).toBe(201)
    expect(isReplay(done)).toBe(false)
    expect((await dry(key)).body.dryRun).toBe(true)
  })

  test('400 for a key that is empty, blank, too long, not ASCII or sent twice', async () => {
    for (const key of INVALID_KEYS) {
      const answer = await create(Buffer.from(key).toString('latin1'))
      expectProblem(answer, 400, 'VALIDATION_FAILED', key)
      expect(answer.body.errors).toMatchObject([{ pointer: '/header/idempotency-key' }])
    }
    const body = JSON.stringify(newPerson())
    const identity = host.headersOf('paul', { permissions: [...PREPARING] })['authorization']
    const lines = [
      `Authorization: ${identity}`,
      'Idempotency-Key: a',
      'Idempotency-Key: a',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const twice = await sendRaw(host.port, {
      method: 'POST',
      target: '/api/v1/parties',
      lines,
      body,
    })
    expectProblem(twice, 400, 'VALIDATION_FAILED')
    for (const key of ['!', 'x'.repeat(255), '~"\\;,'])
      expect((await create(key)).status, key).toBe(201)
  })

  test('an answer is kept for 24 hours and not longer', async () => {
    const key = newKey()
    const first = await create(key, newPerson('Aged'))
    const age = (interval: string): Promise<unknown> =>
      withoutPolicies(host.store, (session) =>
        session.query(
          `update idempotency set stored_at = clock_timestamp() - $1::text::interval where key = $2`,
          [interval, key],
        ),
      )
    await age('23 hours 59 minutes')
    expect((await create(key, newPerson('Aged'))).text).toBe(first.text)
    await age('24 hours 1 second')
    const afresh = await create(key, newPerson('Aged'))
    expect(isReplay(afresh)).toBe(false)
    expect(afresh.body.id).not.toBe(first.body.id)
    expect(isReplay(await create(key, newPerson('Aged')))).toBe(true)
  })

  test('many at once under one key do the work once', async () => {
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => create(key, newPerson('Rush'))),
    )
    const done = answers.filter(({ status }) => status === 201)
    expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(store).toBe('postgres')
      expectProblem(answer, 409, 'IDEMPOTENCY_IN_PROGRESS')
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    if (store === 'embedded') expect(done).toHaveLength(12)
    expect(await partiesNamed('Rush')).toBe(1)
    expect(isReplay(await create(key, newPerson('Rush')))).toBe(true)
  })

  test.runIf(store === 'postgres')(
    '409 IDEMPOTENCY_IN_PROGRESS while the first still runs, then its answer',
    async () => {
      const key = newKey()
      let running: Promise<TestAnswer> | undefined
      await withoutPolicies(host.store, async (session) => {
        await session.query('begin', [])
        await session.query('lock table party in exclusive mode', [])
        running = create(key, newPerson('Slow'))
        await untilWaiting(host, 'party')
        expectProblem(await create(key, newPerson('Slow')), 409, 'IDEMPOTENCY_IN_PROGRESS')
        expectProblem(await create(key, newPerson('Other')), 409, 'IDEMPOTENCY_IN_PROGRESS')
        await session.query('rollback', [])
      })
      const first = (await running) as TestAnswer
      expect(first.status).toBe(201)
      const replay = await create(key, newPerson('Slow'))
      expect(replay.text).toBe(first.text)
      expect(isReplay(replay)).toBe(true)
    },
  )
})

/** Until someone waits for a lock on the table. */
async function untilWaiting(host: Host, table: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const { rows } = await withoutPolicies(host.store, (session) =>
      session.query(`select 1 from pg_locks where not granted and relation = $1::text::regclass`, [
        `${host.store.schema}.${table}`,
      ]),
    )
    if (rows.length > 0) return
  }
  throw new Error(`Nobody waits for ${table}.`)
}
