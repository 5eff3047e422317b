import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { createSequencer } from '../audit-trail/index.ts'
import { chainAll, testLog } from '../audit-trail/test/trail.ts'

describe.each(STORE_KINDS)('GET /events on %s', (store) => {
  let host: Host
  let contractId: string
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
    contractId = await createContract(host.as('paul', ...PREPARING), newContract(partyId))
    await host
      .as('ana', 'contract:approve')
      .post(`/contracts/${contractId}/approve`, undefined, { 'x-request-id': 'request-of-ana' })
    await chainAll(host.db, createSequencer({ db: host.db, log: testLog() }))
  })
  afterAll(() => host.close())

  const list = (query = '') => host.as('ivan', 'event:read').get(`/events${query}`)
  const typesIn = (answer: { body: { items: { type: string }[] } }) =>
    answer.body.items.map(({ type }) => type)

  test('200 with every state change in order, as CloudEvents with ids (platform 9)', async () => {
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(typesIn(answer)).toEqual(['party.created', 'contract.submitted', 'contract.approved'])
    expect(answer.body.nextAfter).toBe(3)
    expect(answer.body.items[2]).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^evt_/),
      source: '/api/v1',
      type: 'contract.approved',
      subject: contractId,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      datacontenttype: 'application/json',
      sequence: '0000000000000003',
      data: { kind: 'contract', id: contractId, version: 2, requestId: 'request-of-ana' },
    })
  })

  test('200 goes on behind a place, piece by piece, and says where to go on (platform 9)', async () => {
    const first = await list('?limit=2')
    expect(typesIn(first)).toEqual(['party.created', 'contract.submitted'])
    const second = await list(`?after=${first.body.nextAfter}&limit=2`)
    expect(typesIn(second)).toEqual(['contract.approved'])
    const third = await list(`?after=${second.body.nextAfter}`)
    expect(third.body).toEqual({ items: [], nextAfter: 3 })
  })

  test('400 VALIDATION_FAILED for a place that is none (platform 8)', async () => {
    for (const query of ['?after=-1', '?after=x', '?limit=0', '?limit=201', '?since=1']) {
      expect(await list(query), query).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    }
  })
})
