import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, TestAnswer } from '../../test/client.ts'
import { type Host, startHost } from '../../test/host.ts'
import { expectProblem } from '../../test/problems.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'

const GARBAGE = [
  '1',
  'abc',
  '"abc"',
  '"1',
  '1"',
  "'1'",
  '"1.xyz"',
  '"-1"',
  '""',
  '',
  '"1" "2"',
  'W/1',
  'w/"1"',
  '"1",',
  '"1", *',
  '"1.0123456"',
  '"99999999999"',
]

describe.each(STORE_KINDS)('versions on %s', (store) => {
  let host: Host
  let paul: Client
  let ana: Client
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store, mode: 'token' })
    paul = host.as('paul', ...PREPARING)
    ana = host.as('ana', 'contract:approve')
    partyId = await createParty(paul)
  })
  afterAll(() => host.close())

  const prepared = (overrides = {}) => createContract(paul, newContract(partyId, overrides))
  const approve = (id: string, ifMatch: string, client = ana): Promise<TestAnswer> =>
    client.post(`/contracts/${id}/approve`, undefined, { 'if-match': ifMatch })
  const edit = (id: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
    paul.patch(`/contracts/${id}`, { externalRef: 'R-1' }, headers)

  test('ETag is the version and eight characters of the body, on both surfaces', async () => {
    const id = await prepared()
    const customer = host.as('carla', { permissions: ['my:read'], partyId })
    for (const [client, path] of [
      [paul, `/contracts/${id}`],
      [customer, `/my/contracts/${id}`],
      [paul, `/parties/${partyId}`],
    ] as const) {
      const answer = await client.get(path)
      expect(answer.headers.get('etag'), path).toMatch(/^"1\.[0-9a-f]{8}"$/)
      expect(answer.headers.get('cache-control'), path).toBe('private, no-cache')
      expect(answer.headers.get('vary'), path).toBe('Authorization')
    }
    const [seenByPaul, seenByAna] = [
      await paul.get(`/contracts/${id}`),
      await ana.get(`/contracts/${id}`),
    ]
    expect(seenByAna.headers.get('etag')).not.toBe(seenByPaul.headers.get('etag'))
  })

  test('no-store where nothing can be revalidated: lists, /me, problems', async () => {
    for (const path of ['/contracts', '/me', '/permissions', '/contracts/unknown']) {
      const answer = await paul.get(path)
      expect(answer.headers.get('cache-control'), path).toBe('no-store')
      expect(answer.headers.get('etag'), path).toBeNull()
    }
  })

  test('304 without a body when the ETag still fits, for GET and HEAD on both surfaces', async () => {
    const id = await prepared()
    const customer = host.as('carla', { permissions: ['my:read'], partyId })
    for (const [client, path] of [
      [paul, `/contracts/${id}`],
      [customer, `/my/contracts/${id}`],
    ] as const) {
      const etag = (await client.get(path)).headers.get('etag') as string
      for (const value of [etag, `W/${etag}`, `"0.00000000", ${etag}`, `${etag},"x"`, '*'])
        for (const method of ['GET', 'HEAD']) {
          const answer = await client.send(method, path, undefined, { 'if-none-match': value })
          expect(answer.status, `${method} ${value}`).toBe(304)
          expect(answer.text).toBe('')
          expect(answer.headers.get('etag')).toBe(etag)
          expect(answer.headers.get('vary')).toBe('Authorization')
          expect(answer.headers.get('cache-control')).toBe('private, no-cache')
        }
      for (const value of ['"1"', '"1.00000000"', 'W/"1.00000000"', 'garbage', ''])
        expect((await client.get(path, { 'if-none-match': value })).status, value).toBe(200)
    }
  })

  test('200 again for the same ETag once the item has changed', async () => {
    const id = await prepared()
    const etag = (await paul.get(`/contracts/${id}`)).headers.get('etag') as string
    await approve(id, '*')
    const answer = await paul.get(`/contracts/${id}`, { 'if-none-match': etag })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toMatch(/^"2\./)
  })

  test('If-Match compares the version alone: ETags of anyone, "<version>", W/, lists and * fit', async () => {
    const etagOfPaul = async (id: string) =>
      (await paul.get(`/contracts/${id}`)).headers.get('etag') as string
    for (const make of [
      etagOfPaul,
      () => '"1"',
      () => 'W/"1"',
      () => '"7", "1"',
      () => 'W/"1.01234567"',
      () => '*',
      () => ' "1" ',
    ]) {
      const id = await prepared()
      const value = await make(id)
      const answer = await approve(id, value)
      expect(answer.status, `${value} ${answer.text}`).toBe(200)
      expect(answer.body.approval.decisions[0].versionStated, value).toBe(value !== '*')
    }
  })

  test('412 VERSION_CONFLICT names the present version, and nothing is decided', async () => {
    const id = await prepared()
    for (const value of ['"2"', 'W/"3"', '"5", "6"', '"0"']) {
      const answer = await approve(id, value)
      expectProblem(answer, 412, 'VERSION_CONFLICT', value)
      expect(answer.body.version).toBe(1)
    }
    expect((await paul.get(`/contracts/${id}`)).body).toMatchObject({
      state: 'PENDING_APPROVAL',
      version: 1,
    })
  })

  test('400 for an If-Match that is no version, before the item is looked for', async () => {
    const id = await prepared()
    for (const value of GARBAGE) {
      for (const target of [id, 'unknown']) {
        const answer = await approve(target, value)
        expectProblem(answer, 400, 'VALIDATION_FAILED', value)
        expect(answer.body.errors, value).toMatchObject([
          { pointer: '/header/if-match', code: 'WRONG_FORMAT' },
        ])
      }
    }
  })

  test('four-eyes and the state come before the version', async () => {
    const id = await prepared()
    const preparer = host.as('paul', 'contract:approve')
    expectProblem(await approve(id, '"9"', preparer), 409, 'FOUR_EYES_SAME_USER')
    await approve(id, '"1"')
    expectProblem(
      await approve(id, '"9"', host.as('ben', 'contract:approve')),
      409,
      'ALREADY_DECIDED',
    )
  })

  test('428 VERSION_REQUIRED for a PATCH without If-Match, 200 with it', async () => {
    const id = await prepared({ draft: true })
    expectProblem(await edit(id), 428, 'VERSION_REQUIRED')
    expectProblem(await edit(id, { 'if-match': '"2"' }), 412, 'VERSION_CONFLICT')
    const done = await edit(id, { 'if-match': '"1"' })
    expect(done).toMatchObject({ status: 200, body: { version: 2, externalRef: 'R-1' } })
    expect(done.headers.get('etag')).toMatch(/^"2\./)
    expectProblem(await edit(id, { 'if-match': '"1"' }), 412, 'VERSION_CONFLICT')
  })

  test('of two edits of one version one is done and the other is 412', async () => {
    const id = await prepared({ draft: true })
    const answers = await Promise.all([1, 2, 3].map(() => edit(id, { 'if-match': '"1"' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })
})
