import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import { createSequencer } from './sequencer.ts'
import { ALL, chainAll, each, exportedLines, testLog } from './test/trail.ts'
import { verifyExport } from './verify-export.ts'

describe.each(STORE_KINDS)('GET /audit on %s', (store) => {
  let host: Host
  let partyId: string
  let contractId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
    contractId = await createContract(host.as('paul', ...PREPARING), newContract(partyId))
    await host.as('paul', 'contract:approve').post(`/contracts/${contractId}/approve`)
    await host
      .as('ana', 'contract:approve')
      .post(`/contracts/${contractId}/approve`, undefined, { 'x-request-id': 'request-of-ana' })
    await host.as('eve').get(`/contracts/${contractId}`)
  })
  afterAll(() => host.close())

  const list = (query = '') => host.as('audra', 'audit:read').get(`/audit${query}`)
  const chain = () => chainAll(host.db, createSequencer({ db: host.db, log: testLog() }))
  const actionsIn = (answer: { body: { items: { action: string; code: string }[] } }) =>
    answer.body.items.map(({ action, code }) => (code ? `${action} ${code}` : action))

  test('200 with the newest first, chained or not yet (platform 9)', async () => {
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(actionsIn(answer)).toEqual([
      'readContract PERMISSION_MISSING',
      'contract.approved',
      'approveContract FOUR_EYES_SAME_USER',
      'contract.submitted',
      'party.created',
    ])
    expect(answer.body.items[0]).toMatchObject({ seq: null, hash: null, outcome: 'REFUSED' })
    await chain()
    const later = await list()
    expect(later.body.items.map(({ seq }: { seq: number }) => seq)).toEqual([5, 4, 3, 2, 1])
    expect(later.body.items[1]).toMatchObject({
      username: 'ana',
      subject: 'dev:ana',
      mode: 'developer',
      requestId: 'request-of-ana',
      itemKind: 'contract',
      itemId: contractId,
      itemVersion: 2,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(later.body.items[1].diff).toContainEqual({
      pointer: '/state',
      before: 'PENDING_APPROVAL',
      after: 'APPROVED',
    })
  })

  test.each([
    ['itemKind=party', ['party.created']],
    ['outcome=REFUSED', ['readContract PERMISSION_MISSING', 'approveContract FOUR_EYES_SAME_USER']],
    ['code=FOUR_EYES_SAME_USER', ['approveContract FOUR_EYES_SAME_USER']],
    ['username=ana', ['contract.approved']],
    ['subject=dev:eve', ['readContract PERMISSION_MISSING']],
    ['action=contract.submitted', ['contract.submitted']],
    ['requestId=request-of-ana', ['contract.approved']],
    ['at[lt]=2020-01-01', []],
    ['at[gte]=2199-01-01T00:00:00Z', []],
    ['username=paul&outcome=DONE', ['contract.submitted', 'party.created']],
  ])('200 filtered by %s (platform 9)', async (filter, expected) => {
    expect(actionsIn(await list(`?${filter}`))).toEqual(expected)
  })

  test('200 filtered by item, page by page, without a gap (platform 8)', async () => {
    const seen: string[] = []
    let path = `?itemId=${contractId}&limit=1`
    for (let page = 0; page < 10; page++) {
      const answer = await list(path)
      seen.push(...actionsIn(answer))
      if (answer.body.nextCursor === null) break
      path = `?itemId=${contractId}&limit=1&cursor=${answer.body.nextCursor}`
    }
    expect(seen).toEqual([
      'readContract PERMISSION_MISSING',
      'contract.approved',
      'approveContract FOUR_EYES_SAME_USER',
      'contract.submitted',
    ])
  })

  test('400 VALIDATION_FAILED for a filter that is none, or a foreign cursor (platform 8)', async () => {
    expect(await list('?user=ana')).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(await list('?at[lt]=yesterday')).toMatchObject({ status: 400 })
    const { body } = await list('?limit=1')
    expect(await list(`?limit=1&code=X&cursor=${body.nextCursor}`)).toMatchObject({ status: 400 })
  })

  test('personal values are shown until the party is erased; the chain holds (platform 9)', async () => {
    const erased = await createParty(host.as('paul', ...PREPARING), {
      type: 'PERSON',
      person: { firstName: 'Vera', lastName: 'Gessen' },
      language: 'de',
    })
    const diffOf = async (action: string) => {
      const answer = await list(`?itemId=${erased}&action=${action}`)
      return answer.body.items[0].diff as object[]
    }
    expect(await diffOf('party.created')).toContainEqual({
      pointer: '/person/lastName',
      before: null,
      after: 'Gessen',
      personal: true,
    })
    await chain()
    const before = await exportedLines(host.db, { personal: true })
    expect(before.join()).toContain('Gessen')
    expect((await exportedLines(host.db)).join()).not.toContain('Gessen')

    const asked = await host
      .as('paul', 'party:erase', 'party:read')
      .post(`/parties/${erased}/erase`, { reason: 'asked for' })
    const decided = await host
      .as('ana', 'party:approve')
      .post(`/parties/${erased}/changes/${asked.body.id}/approve`)
    expect(decided.status, decided.text).toBe(200)

    expect(await diffOf('party.created')).toContainEqual({
      pointer: '/person/lastName',
      before: null,
      after: 'erased',
      personal: true,
    })
    expect(await diffOf('party.created')).toContainEqual({
      pointer: '/language',
      before: null,
      after: 'de',
    })
    await chain()
    const after = await exportedLines(host.db, { personal: true })
    expect(after.join()).not.toContain('Gessen')
    expect(await verifyExport(each(after))).toMatchObject({ ok: true })
    // What was exported before proves itself too: the hashes are the same.
    expect(await verifyExport(each(before))).toMatchObject({ ok: true })
  })

  test('values of a party that is not erased cannot be deleted, by nobody (platform 9)', async () => {
    const deleted = sql`delete from audit_personal_value where party_id = ${partyId}`
    const count = sql`select count(*) as n from audit_personal_value where party_id = ${partyId}`
    const before = await host.db.read(ALL, (read) => read.one(count))
    expect(await host.db.write(ALL, (tx) => tx.run(deleted))).toBe(0)
    const asOwner = host.store.rights.use(async (session) => {
      await session.query('begin', [])
      try {
        await session.query('alter table audit_personal_value no force row level security', [])
        await session.query(deleted.text, deleted.values)
      } finally {
        await session.query('rollback', [])
      }
    })
    await expect(asOwner).rejects.toMatchObject({
      constraint: 'audit_personal_value_party_erased',
    })
    expect(await host.db.read(ALL, (read) => read.one(count))).toEqual(before)
  })

  test.each(['/audit', '/audit/checkpoints', '/audit/export', '/events', '/events/stream'])(
    '403 PERMISSION_MISSING on %s for a caller linked to a party or a partner (platform 3)',
    async (path) => {
      const permissions = ['audit:read', 'event:read']
      for (const links of [{ partyId }, { partnerId: 'ptn_1' }]) {
        const answer = await host.as('linked', { permissions, ...links }).get(path)
        expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
        expect(answer.body.detail).toContain('linked to one of them')
      }
      expect(await host.as('nobody').get(path)).toMatchObject({
        status: 403,
        code: 'PERMISSION_MISSING',
      })
      expect(await host.stranger.get(path)).toMatchObject({ status: 401 })
    },
  )
})
