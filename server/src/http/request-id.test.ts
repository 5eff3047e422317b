import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { withoutPolicies } from '../../test/table-digest.ts'

const TAKEN = ['12345678', 'a'.repeat(64), 'abc-DEF_012', '--------']
const REPLACED = [
  '',
  '1234567',
  'a'.repeat(65),
  'has blank',
  'semi;colon',
  'quo"te',
  'ümlaut-x',
  '../../etc',
]

describe.each(STORE_KINDS)('X-Request-Id on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store, mode: 'token', env: { LOG_LEVEL: 'debug' } })
  })
  afterAll(() => host.close())

  test('an inbound id of 8 to 64 word characters comes back, any other is replaced', async () => {
    const ana = host.as('ana', { permissions: ['contract:read'], partyId: 'pty_any' })
    for (const path of ['/me', '/my/contracts', '/contracts/unknown', '/healthz', '/x/%zz'])
      for (const [ids, isTaken] of [
        [TAKEN, true],
        [REPLACED, false],
      ] as const)
        for (const id of ids) {
          const answer = await ana.get(path, { 'x-request-id': Buffer.from(id).toString('latin1') })
          const given = answer.headers.get('x-request-id')
          if (isTaken) expect(given, path).toBe(id)
          else expect(given, `${path} ${id}`).toMatch(/^[\w-]{8,64}$/)
          if (!isTaken) expect(given).not.toBe(id)
          if (answer.status >= 400) expect(answer.body.requestId).toBe(given)
        }
  })

  test('no two answers share an id of ours', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => host.stranger.get('/me')))
    expect(new Set(answers.map(({ body }) => body.requestId)).size).toBe(50)
  })

  test('one id in the answer, the log line, the audit entry and the event', async () => {
    const requestId = 'traced-through-systems'
    const paul = host.as('paul', 'party:create')
    const done = await paul.post('/parties', newPerson(), { 'x-request-id': requestId })
    expect(done.headers.get('x-request-id')).toBe(requestId)
    const refusedId = 'refused-and-audited'
    const refused = await paul.get('/contracts/x', { 'x-request-id': refusedId })
    expect(refused.body.requestId).toBe(refusedId)
    for (const id of [requestId, refusedId])
      expect(host.logLines.filter((line) => JSON.parse(line).requestId === id)).toHaveLength(1)
    await withoutPolicies(host.store, async (session) => {
      const audited = await session.query(
        'select request_id, outcome from audit_entry where request_id = any ($1) order by outcome',
        [[requestId, refusedId]],
      )
      expect(audited.rows).toEqual([
        { request_id: requestId, outcome: 'DONE' },
        { request_id: refusedId, outcome: 'REFUSED' },
      ])
      const events = await session.query('select type from event where request_id = $1', [
        requestId,
      ])
      expect(events.rows).toEqual([{ type: 'party.created' }])
    })
  })
})
