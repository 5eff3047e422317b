import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leftBehind, partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import {
  createContract,
  createParty,
  newContract,
  newPerson,
  PREPARING,
} from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'

interface Entry {
  readonly action: string
  readonly outcome: string
  readonly code: string | null
  readonly username: string
  readonly itemId: string | null
  readonly itemVersion: number | null
  readonly requestId: string
  readonly diff: { pointer: string; before: unknown; after: unknown }[]
}

const DECIDE = ['contract:read', 'contract:approve']
const requestId = (id: string) => ({ 'x-request-id': id })

describe.each(STORE_KINDS)('what is written down on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store, mode: 'token' })
    partyId = await createParty(paul())
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const ana = () => host.as('ana', ...DECIDE)
  const entries = (id: string) =>
    host.db.read({ rows: 'ALL' }, (read) =>
      read.rows<Entry & Record<string, unknown>>(sql`
        select action, outcome, code, subject, username, client_id as "clientId", session_id as "sessionId",
               issuer, mode, actor, remote_address as "remoteAddress", request_id as "requestId",
               item_kind as "itemKind", item_id as "itemId", item_version as "itemVersion", diff
          from audit_entry where item_id = ${id} order by at, id`),
    )

  /** Every command once: version by version. */
  async function story(): Promise<string> {
    const draft = newContract(partyId, { draft: true })
    const created = await succeeded(paul().post('/contracts', draft, requestId('story-create')))
    const path = `/contracts/${created.body.id}`
    const patch = { terms: { termMonths: 24 }, internalNote: 'Shorter.' }
    const headers = { 'if-match': '*', ...requestId('story-edit-1') }
    await succeeded(host.as('eva', ...PREPARING).patch(path, patch, headers))
    await succeeded(paul().post(`${path}/submit`, undefined, requestId('story-submit')))
    const reason = { reason: 'Too short.' }
    await succeeded(ana().post(`${path}/return`, reason, requestId('story-return')))
    await succeeded(paul().post(`${path}/submit`, undefined, requestId('story-again')))
    await succeeded(ana().post(`${path}/approve`, { comment: 'Yes.' }, requestId('story-approve')))
    await succeeded(paul().post(`${path}/withdraw`, reason, requestId('story-withdraw')))
    return created.body.id
  }

  test('one entry per change, in order, with who, what, on which version and under which request', async () => {
    const told = await entries(await story())
    expect(
      told.map((entry) => [entry.itemVersion, entry.action, entry.username, entry.requestId]),
    ).toEqual([
      [1, 'contract.created', 'paul', 'story-create'],
      [2, 'contract.edited', 'eva', 'story-edit-1'],
      [3, 'contract.submitted', 'paul', 'story-submit'],
      [4, 'contract.returned', 'ana', 'story-return'],
      [5, 'contract.submitted', 'paul', 'story-again'],
      [6, 'contract.approved', 'ana', 'story-approve'],
      [7, 'contract.withdrawn', 'paul', 'story-withdraw'],
    ])
    for (const entry of told) {
      expect(entry).toMatchObject({
        ...{
          outcome: 'DONE',
          code: null,
          itemKind: 'contract',
          mode: 'token',
          clientId: 'tfs-ops',
        },
        subject: `${host.issuer?.issuer}#id-of-${entry.username}`,
        issuer: host.issuer?.issuer,
        ...{
          sessionId: '5d0c4d3e-7a57-4b0f-8d6b-bb1c0f3a9a10',
          remoteAddress: '127.0.0.1',
          actor: null,
        },
      })
    }
  })

  test('each entry tells before and after of what changed, and nothing else', async () => {
    const [created, edited, submitted, returned] = await entries(await story())
    const row = (entry: Entry | undefined, pointer: string) =>
      entry?.diff.find((each) => each.pointer === pointer)
    expect(created?.diff.every(({ before }) => before === null)).toBe(true)
    expect(row(created, '/terms/termMonths')).toMatchObject({ before: null, after: 48 })
    expect(edited?.diff.map(({ pointer }) => pointer).sort()).toEqual(
      ['/contentHash', '/internalNote', '/terms/termMonths', '/version'].sort(),
    )
    expect(row(edited, '/terms/termMonths')).toMatchObject({ before: 48, after: 24 })
    expect(submitted?.diff).toEqual([
      { pointer: '/state', before: 'DRAFT', after: 'PENDING_APPROVAL' },
      { pointer: '/version', before: 2, after: 3 },
    ])
    expect(row(returned, '/reason')).toMatchObject({ before: null, after: 'Too short.' })
  })

  test('one event per change, with ids and no contents (spec 6.1)', async () => {
    const id = await story()
    const events = await host.db.read({ rows: 'ALL' }, (read) =>
      read.rows<Record<string, unknown>>(sql`
        select type, item_kind as kind, item_id as item, item_version as version,
               request_id as "requestId", data from event where item_id = ${id} order by item_version`),
    )
    const told = await entries(id)
    expect(events).toEqual(
      told.map(({ action, itemVersion, requestId: request }) => ({
        ...{
          type: action,
          kind: 'contract',
          item: id,
          version: itemVersion,
          requestId: request,
          data: {},
        },
      })),
    )
  })

  test('a new party: personal values only as salted hashes, the values in the table that can be erased', async () => {
    const secret = { firstName: 'Klarissa', lastName: 'Geheim', birthDate: '1986-04-12' }
    const body = newPerson('', {
      person: secret,
      ...{
        email: 'k.geheim@example.org',
        phone: '+49301234567',
        language: 'de',
        externalRef: 'CRM-9',
      },
      address: {
        street: 'Stille Gasse 1',
        postalCode: 'PLZ-10115',
        city: 'Leisestadt',
        country: 'DE',
      },
    })
    const id = await createParty(paul(), body)
    const [entry] = await entries(id)
    expect(entry).toMatchObject({ action: 'party.created', itemVersion: 1, username: 'paul' })
    const text = JSON.stringify(entry)
    for (const value of [
      'Klarissa',
      'Geheim',
      'geheim',
      '1986-04-12',
      '+4930',
      'Gasse',
      'PLZ-10115',
      'Leisestadt',
    ]) {
      expect(text).not.toContain(value)
    }
    expect(entry?.diff).toContainEqual({ pointer: '/language', before: null, after: 'de' })
    const values = await host.db.read({ rows: 'ALL' }, (read) =>
      read.rows<{ pointer: string; value: unknown }>(sql`
        select pointer, value from audit_personal_value where party_id = ${id} order by pointer`),
    )
    expect(Object.fromEntries(values.map(({ pointer, value }) => [pointer, value]))).toMatchObject({
      ...{
        '/person/lastName': 'Geheim',
        '/person/birthDate': '1986-04-12',
        '/displayName': 'Klarissa Geheim',
      },
      ...{
        '/email': 'k.geheim@example.org',
        '/phone': '+49301234567',
        '/address/city': 'Leisestadt',
      },
    })
    const events = await host.db.read({ rows: 'ALL' }, (read) =>
      read.rows(sql`select * from event where item_id = ${id}`),
    )
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events)).not.toMatch(/Klarissa|Geheim|Leisestadt/)
  })

  test('refusals of identified callers are kept: four-eyes, permission, foreign and unknown id', async () => {
    const id = await createContract(paul(), newContract(partyId))
    const partnerId = await partnerNamed(host.db, 'P')
    const stranger = host.as('dora', { permissions: DECIDE, partnerId })
    const calls: (readonly [string, () => Promise<unknown>, string])[] = [
      [
        'approveContract',
        () => host.as('paul', ...DECIDE).post(`/contracts/${id}/approve`),
        'FOUR_EYES_SAME_USER',
      ],
      ['approveContract', () => paul().post(`/contracts/${id}/approve`), 'PERMISSION_MISSING'],
      ['readContract', () => stranger.get(`/contracts/${id}`), 'NOT_FOUND'],
      ['approveContract', () => stranger.post(`/contracts/${id}/approve`), 'NOT_FOUND'],
      ['readMyContract', () => paul().get(`/my/contracts/${id}`), 'PARTY_REQUIRED'],
      [
        'approveContract',
        () => host.as('service-account-x', ...DECIDE).post(`/contracts/${id}/approve?dryRun=true`),
        'HUMAN_APPROVER_REQUIRED',
      ],
    ]
    for (const [, call] of calls) await call()
    const [done, ...refused] = await entries(id)
    expect(done).toMatchObject({ action: 'contract.submitted', outcome: 'DONE' })
    expect(refused.map(({ action, code }) => [action, code])).toEqual(
      calls.map(([action, , code]) => [action, code]),
    )
    for (const entry of refused) {
      expect(entry).toMatchObject({
        outcome: 'REFUSED',
        itemKind: 'contract',
        itemVersion: null,
        diff: [],
      })
    }
    await paul().get('/contracts/ctr_unknown')
    expect(await entries('ctr_unknown')).toMatchObject([{ outcome: 'REFUSED', code: 'NOT_FOUND' }])
  })

  test('nothing else remains of a refused command or a dry run', async () => {
    const id = await createContract(paul(), newContract(partyId, { draft: true }))
    const before = await leftBehind(host.db)
    const known = (await entries(id)).length
    for (const answer of [
      await paul().post('/contracts', {}),
      await paul().post('/contracts', newContract('pty_unknown')),
      await paul().patch(`/contracts/${id}`, { externalRef: 'x' }),
      await paul().patch(`/contracts/${id}`, { externalRef: 'x' }, { 'if-match': '"9"' }),
      await paul().patch(`/contracts/${id}`, { partyId: 'pty_unknown' }, { 'if-match': '*' }),
      await ana().post(`/contracts/${id}/approve`),
      await paul().post('/parties', newPerson('')),
    ]) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
    }
    await succeeded(paul().post('/contracts?dryRun=true', newContract(partyId)))
    await succeeded(
      paul().patch(`/contracts/${id}?dryRun=true`, { externalRef: 'x' }, { 'if-match': '*' }),
    )
    await succeeded(paul().post(`/contracts/${id}/submit?dryRun=true`))
    await succeeded(paul().post('/parties?dryRun=true', newPerson('Dry')))
    expect(await leftBehind(host.db)).toEqual(before)
    expect(await entries(id)).toHaveLength(known)
    expect((await paul().get(`/contracts/${id}`)).body.version).toBe(1)
  })
})
