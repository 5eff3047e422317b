import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, leftBehind, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { permissionCatalogue } from '../surfaces.ts'

const EVERY_PERMISSION = Object.keys(permissionCatalogue).filter((code) => code !== 'scope:partner')

describe.each(STORE_KINDS)('approveContract on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(paul())
  })
  afterAll(() => host.close())

  const paul = () => host.as('paul', ...PREPARING)
  const ana = () => host.as('ana', 'contract:approve')
  const prepared = () => createContract(paul(), newContract(partyId))

  test('200 when another user approves, with the version and the content hash decided on (spec 4.13)', async () => {
    const id = await prepared()
    const answer = await ana().post(
      `/contracts/${id}/approve`,
      { comment: 'Fine.' },
      { 'if-match': '"1"' },
    )
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ state: 'APPROVED', version: 2 })
    expect(answer.body.approval).toMatchObject({
      status: 'APPROVED',
      preparedBy: [{ username: 'paul' }],
      submittedBy: { username: 'paul' },
    })
    expect(answer.body.approval.decisions).toMatchObject([
      {
        decision: 'APPROVED',
        by: { username: 'ana' },
        version: 1,
        versionStated: true,
        comment: 'Fine.',
        contentHash: answer.body.approval.contentHash,
      },
    ])
  })

  test('200 in two calls: one user creates, another approves (spec 1.2)', async () => {
    const created = await paul().post('/contracts', newContract(partyId))
    const approved = await ana().post(`/contracts/${created.body.id}/approve`)
    expect([created.status, approved.status]).toEqual([201, 200])
  })

  test('200 by number, and by an approver who holds nothing else (spec 4.2)', async () => {
    const { body } = await succeeded(paul().post('/contracts', newContract(partyId)))
    const approved = await ana().post(`/contracts/${body.number}/approve`)
    expect(approved.body).toMatchObject({ id: body.id, state: 'APPROVED' })
  })

  test('200 for an empty body whatever its content type, and for an empty object', async () => {
    for (const [body, headers] of [
      [undefined, {}],
      ['', { 'content-type': 'text/plain' }],
      ['', { 'content-type': 'application/x-www-form-urlencoded' }],
      ['{}', {}],
    ] as const) {
      const answer = await ana().post(`/contracts/${await prepared()}/approve`, body, headers)
      expect(answer.status).toBe(200)
      expect(answer.body.approval.decisions[0]).toMatchObject({ versionStated: false })
      expect(answer.body.approval.decisions[0]).not.toHaveProperty('comment')
    }
  })

  test('409 FOUR_EYES_SAME_USER when the preparer approves (spec 5.5.4, spec 7.1)', async () => {
    const id = await prepared()
    const before = await leftBehind(host.db)
    const answer = await host.as('paul', 'contract:approve').post(`/contracts/${id}/approve`)
    expect(answer).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    const { createdBy, createdAt } = (await paul().get(`/contracts/${id}`)).body
    expect(answer.body).toMatchObject({
      preparedBy: createdBy,
      detail: `You prepared this on ${createdAt.slice(0, 10)}. Someone else with the permission must decide.`,
    })
    expect(answer.body.preparedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(await leftBehind(host.db)).toEqual(before)
    expect((await ana().post(`/contracts/${id}/approve`)).status).toBe(200)
  })

  test('409 FOUR_EYES_SAME_USER for creator, every editor ever and submitter (rule 14)', async () => {
    const id = await createContract(paul(), newContract(partyId, { draft: true }))
    const path = `/contracts/${id}`
    const edit = (name: string, externalRef: string) =>
      host.as(name, ...PREPARING).patch(path, { externalRef }, { 'if-match': '*' })
    await succeeded(edit('eva', 'A'))
    await succeeded(edit('emil', 'B'))
    await succeeded(host.as('sam', ...PREPARING).post(`${path}/submit`))
    await succeeded(ana().post(`${path}/return`, { reason: 'Again.' }))
    await succeeded(edit('ed', 'C'))
    await succeeded(paul().post(`${path}/submit`))
    for (const name of ['paul', 'eva', 'emil', 'sam', 'ed']) {
      const answer = await host.as(name, 'contract:approve').post(`${path}/approve`)
      expect(answer, name).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
      expect(answer.body.preparedBy.username).toBe(name)
    }
    expect((await ana().post(`${path}/approve`)).status).toBe(200)
  })

  test('409 FOUR_EYES_SAME_USER for the one who holds every permission: no super user (rule 14)', async () => {
    const chief = host.as('chief', ...EVERY_PERMISSION)
    const id = await createContract(chief, newContract(partyId))
    expect(await chief.post(`/contracts/${id}/approve`)).toMatchObject({
      ...{ status: 409, code: 'FOUR_EYES_SAME_USER' },
    })
    expect((await ana().post(`/contracts/${id}/approve`)).status).toBe(200)
  })

  test('409 FOUR_EYES_SAME_USER in every state: the preparer always learns this reason (spec 7.1)', async () => {
    for (const situation of ['DRAFT', 'APPROVED', 'REJECTED', 'RETURNED', 'WITHDRAWN'] as const) {
      const id = await contractIn(host, situation, { partyId })
      const answer = await host.as('paul', 'contract:approve').post(`/contracts/${id}/approve`)
      expect(answer.code, situation).toBe('FOUR_EYES_SAME_USER')
    }
  })

  test('a returner who edits becomes a preparer and decides no more', async () => {
    const id = await contractIn(host, 'RETURNED', { partyId })
    const both = host.as('ana', ...PREPARING, 'contract:approve')
    await succeeded(both.patch(`/contracts/${id}`, { externalRef: 'X' }, { 'if-match': '*' }))
    await succeeded(paul().post(`/contracts/${id}/submit`))
    expect((await both.post(`/contracts/${id}/approve`)).code).toBe('FOUR_EYES_SAME_USER')
    expect((await host.as('ben', 'contract:approve').post(`/contracts/${id}/approve`)).status).toBe(
      200,
    )
  })

  test('409 ALREADY_DECIDED for the second approver', async () => {
    const id = await prepared()
    await ana().post(`/contracts/${id}/approve`)
    const second = await host.as('ben', 'contract:approve').post(`/contracts/${id}/approve`)
    expect(second).toMatchObject({ status: 409, code: 'ALREADY_DECIDED' })
    expect(second.body).toMatchObject({
      ...{ state: 'APPROVED', decision: 'APPROVED', decidedBy: { username: 'ana' } },
      detail: expect.stringMatching(/^ana decided this submission on \d{4}-\d\d-\d\d: approved\.$/),
    })
  })

  test('403 PERMISSION_MISSING without contract:approve, whoever asks (spec 5.5.3)', async () => {
    const id = await prepared()
    const others = EVERY_PERMISSION.filter((code) => code !== 'contract:approve')
    for (const name of ['paul', 'ana']) {
      const answer = await host.as(name, ...others).post(`/contracts/${id}/approve`)
      expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
      expect(answer.body).toMatchObject({
        requiredPermission: 'contract:approve',
        detail: 'This needs the permission contract:approve.',
      })
    }
  })

  test('403 HUMAN_APPROVER_REQUIRED for a service account, after four-eyes', async () => {
    const machine = host.as('service-account-import', ...PREPARING, 'contract:approve')
    const foreign = await machine.post(`/contracts/${await prepared()}/approve`)
    expect(foreign).toMatchObject({ status: 403, code: 'HUMAN_APPROVER_REQUIRED' })
    const own = await createContract(machine, newContract(partyId))
    expect((await machine.post(`/contracts/${own}/approve`)).code).toBe('FOUR_EYES_SAME_USER')
  })

  test('403 for a caller linked to a party: it decides nothing', async () => {
    const clara = host.as('clara', { permissions: ['contract:approve'], partyId })
    const answer = await clara.post(`/contracts/${await prepared()}/approve`)
    expect(answer).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
    expect(answer.body.detail).toBe('A caller linked to a party decides nothing.')
  })

  test('404 for an unknown contract, and for a foreign one with the same body (rule 16)', async () => {
    const dora = host.as('dora', { permissions: ['contract:approve'], partnerId: 'ptn_x' })
    const shown = await Promise.all(
      [await prepared(), 'ctr_unknown', '2026-999999', '%20', 'x'.repeat(90)].map(async (id) => {
        const { status, body } = await dora.post(`/contracts/${id}/approve`)
        const { instance: _, requestId: __, ...rest } = body
        return JSON.stringify({ status, ...rest })
      }),
    )
    expect(new Set(shown).size).toBe(1)
    expect(shown[0]).toContain('"code":"NOT_FOUND"')
  })

  test('412 VERSION_CONFLICT when another version was seen', async () => {
    const id = await prepared()
    const answer = await ana().post(`/contracts/${id}/approve`, undefined, { 'if-match': '"2"' })
    expect(answer).toMatchObject({ status: 412, code: 'VERSION_CONFLICT', body: { version: 1 } })
    expect((await paul().get(`/contracts/${id}`)).body.state).toBe('PENDING_APPROVAL')
  })

  test('400 for a comment that is blank, too long or no text, and for unknown fields (rule 17)', async () => {
    const id = await prepared()
    const sent = (body: object) => ana().post(`/contracts/${id}/approve`, body)
    for (const [comment, code] of [
      ['', 'TOO_SHORT'],
      [' \n', 'WRONG_FORMAT'],
      ['\u200b', 'WRONG_FORMAT'],
      ['x'.repeat(1_001), 'TOO_LONG'],
      [7, 'WRONG_TYPE'],
      [null, 'WRONG_TYPE'],
    ] as const) {
      expectFaults(await sent({ comment }), [
        { pointer: '/comment', code, detail: /^"comment" must/ },
      ])
    }
    for (const name of [
      'approvedBy',
      'version',
      'state',
      'decider',
      'preparers',
      'reason',
      'coment',
    ]) {
      const answer = await sent({ [name]: 'x' })
      expectFaults(answer, [
        { pointer: `/${name}`, code: 'UNKNOWN_FIELD', detail: /^Unknown field/ },
      ])
    }
    expect((await sent({ comment: '😀'.repeat(1_000) })).status).toBe(200)
  })

  test('200 for a dry run, and nothing is decided', async () => {
    const id = await prepared()
    const before = await leftBehind(host.db)
    const answer = await ana().post(`/contracts/${id}/approve?dryRun=true`)
    expect(answer.body).toMatchObject({ dryRun: true, result: { state: 'APPROVED', version: 2 } })
    expect(answer.body.diff).toContainEqual({
      ...{ pointer: '/state', before: 'PENDING_APPROVAL', after: 'APPROVED' },
    })
    expect(await leftBehind(host.db)).toEqual(before)
  })
})
