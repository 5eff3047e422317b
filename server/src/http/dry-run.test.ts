import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, TestAnswer } from '../../test/client.ts'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import {
  createContract,
  createParty,
  newContract,
  newPerson,
  PREPARING,
} from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'

interface Try {
  readonly client: Client
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

describe.each(STORE_KINDS)('dry runs on %s', (store) => {
  let host: Host
  let paul: Client
  let ana: Client
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    paul = host.as('paul', ...PREPARING)
    ana = host.as('ana', 'contract:approve')
    partyId = await createParty(paul)
  })
  afterAll(() => host.close())

  const send = ({ client, method, path, body, headers }: Try, query = ''): Promise<TestAnswer> =>
    client.send(method, path + query, body, headers)
  const prepared = (overrides = {}) => createContract(paul, newContract(partyId, overrides))

  const commands: Record<string, () => Promise<Try>> = {
    createParty: async () => ({
      client: paul,
      method: 'POST',
      path: '/parties',
      body: newPerson('Trial'),
    }),
    createContract: async () => ({
      client: paul,
      method: 'POST',
      path: '/contracts',
      body: newContract(partyId),
    }),
    editContract: async () => ({
      client: paul,
      method: 'PATCH',
      path: `/contracts/${await prepared({ draft: true })}`,
      body: { externalRef: 'R-7' },
      headers: { 'if-match': '"1"' },
    }),
    submitContract: async () => ({
      client: paul,
      method: 'POST',
      path: `/contracts/${await prepared({ draft: true })}/submit`,
    }),
    approveContract: async () => ({
      client: ana,
      method: 'POST',
      path: `/contracts/${await prepared()}/approve`,
      body: { comment: 'Fine.' },
    }),
    rejectContract: async () => ({
      client: ana,
      method: 'POST',
      path: `/contracts/${await prepared()}/reject`,
      body: { reason: 'No.' },
    }),
    returnContract: async () => ({
      client: ana,
      method: 'POST',
      path: `/contracts/${await prepared()}/return`,
      body: { reason: 'Once more.' },
    }),
    withdrawContract: async () => ({
      client: paul,
      method: 'POST',
      path: `/contracts/${await prepared()}/withdraw`,
      body: { reason: 'Lost.' },
    }),
  }

  test.each(Object.keys(commands))(
    '%s changes nothing and shows what the real one then does',
    async (id) => {
      const tried = await (commands[id] as () => Promise<Try>)()
      const before = await tableDigests(host.store)
      const dry = await send(tried, '?dryRun=true')
      expect(dry.status, dry.text).toBe(200)
      expect(Object.keys(dry.body)).toEqual(['dryRun', 'result', 'diff', 'warnings'])
      expect(dry.body.dryRun).toBe(true)
      expect(dry.headers.get('etag')).toBeNull()
      expect(dry.headers.get('cache-control')).toBe('no-store')
      expect(await tableDigests(host.store)).toEqual(before)
      for (const row of dry.body.diff)
        expect(Object.keys(row)).toEqual(['pointer', 'before', 'after'])

      const done = await send(tried, '?dryRun=false')
      expect([200, 201, 202]).toContain(done.status)
      const { warnings: _, ...real } = done.body
      expect(Object.keys(dry.body.result).sort()).toEqual(Object.keys(real).sort())
      expect(dry.body.result).toMatchObject({ state: real.state, version: real.version })
      expect(await tableDigests(host.store)).not.toEqual(before)
    },
  )

  test('nothing leaks that the real answer would not tell', async () => {
    const dry = await paul.post('/parties?dryRun=true', newPerson('Leak'))
    expect(dry.text).not.toMatch(/preparers|createdByPartner|sub:dev/)
  })

  test('the same refusals as in earnest, and nothing changes', async () => {
    const id = await prepared()
    const before = await tableDigests(host.store)
    const self = host.as('paul', 'contract:approve')
    expectProblem(
      await self.post(`/contracts/${id}/approve?dryRun=true`),
      409,
      'FOUR_EYES_SAME_USER',
    )
    expectProblem(await paul.post(`/contracts/${id}/submit?dryRun=true`), 409, 'INVALID_STATE')
    expectProblem(await ana.post('/contracts/x/approve?dryRun=true'), 404, 'NOT_FOUND')
    expectProblem(
      await ana.post(`/contracts/${id}/approve?dryRun=true`, {}, { 'if-match': '"9"' }),
      412,
      'VERSION_CONFLICT',
    )
    expectProblem(
      await paul.post(`/contracts/${id}/approve?dryRun=true`),
      403,
      'PERMISSION_MISSING',
    )
    expectProblem(
      await paul.post('/contracts?dryRun=true', newContract('pty_x')),
      422,
      'RULE_VIOLATED',
    )
    expectProblem(await paul.post('/contracts?dryRun=true', {}), 400, 'VALIDATION_FAILED')
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('400 for a dryRun that is neither true nor false, and on reads', async () => {
    for (const value of ['1', 'yes', '', 'TRUE', 'true&dryRun=true', 'null'])
      expectProblem(
        await paul.post(`/parties?dryRun=${value}`, newPerson()),
        400,
        'VALIDATION_FAILED',
        value,
      )
    expectProblem(await paul.get('/contracts?dryRun=true'), 400, 'VALIDATION_FAILED')
  })
})
