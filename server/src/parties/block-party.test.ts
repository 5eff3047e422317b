import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeIn, entriesOf, proposed, reason, staff } from '../../test/change-stories.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'

describe.each(STORE_KINDS)('blockParty and unblockParty on %s', (store) => {
  let host: Host
  let count = 0
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const paul = () => staff(host, 'paul')
  const fresh = () => createParty(paul(), newPerson(`Blocked ${++count}`))

  test('200 and blocked at once: no new contract, the old ones are flagged (platform 4)', async () => {
    const id = await fresh()
    const contract = await createContract(paul(), newContract(id))
    const { body } = await succeeded(
      paul().post(`/parties/${id}/block`, { reason: 'Fraud suspected.' }),
    )
    expect(body).toMatchObject({ state: 'BLOCKED', version: 2, updatedBy: { username: 'paul' } })
    expect((await paul().get(`/contracts/${contract}`)).body.flags).toEqual(['PARTY_BLOCKED'])
    const refused = await paul().post('/contracts', newContract(id))
    expect(refused).toMatchObject({ status: 422, code: 'RULE_VIOLATED' })
    expect(refused.body.errors).toMatchObject([{ pointer: '/partyId', code: 'PARTY_NOT_ACTIVE' }])
    await succeeded(staff(host, 'ana').post(`/contracts/${contract}/approve`))
    const active = await staff(host, 'ana').post(`/contracts/${contract}/activate`)
    expect(active.body.errors).toMatchObject([{ pointer: '/partyId', code: 'PARTY_NOT_ACTIVE' }])
    expect((await entriesOf(host.db, id)).at(-1)).toMatchObject({
      action: 'party.blocked',
      diff: expect.arrayContaining([
        { pointer: '/state', before: 'ACTIVE', after: 'BLOCKED' },
        { pointer: '/reason', before: null, after: 'Fraud suspected.' },
      ]),
    })
  })

  test('200 although a change waits, which then cannot be approved any more', async () => {
    const { path, itemPath } = await proposed(host, 'PARTY')
    const blocked = await succeeded(paul().post(`${itemPath}/block`, reason))
    expect(blocked.body.pendingChanges).toHaveLength(1)
    expect((await staff(host, 'ana').post(`${path}/approve`)).code).toBe('INVALID_STATE')
    const unblock = await paul().post(`${itemPath}/unblock`, reason)
    expect(unblock.code).toBe('CHANGE_ALREADY_PENDING')
  })

  test('202: the block is lifted by two; until then it stands (platform 4)', async () => {
    const id = await fresh()
    await succeeded(paul().post(`/parties/${id}/block`, reason))
    const asked = await paul().post(`/parties/${id}/unblock`, { reason: 'Cleared.' })
    expect(asked.status, asked.text).toBe(202)
    expect(asked.body).toMatchObject({
      ...{ kind: 'UNBLOCK', state: 'PENDING', reason: 'Cleared.', baseVersion: 2 },
      diff: [{ pointer: '/state', before: 'BLOCKED', after: 'ACTIVE' }],
    })
    expect(asked.headers.get('location')).toBe(`/api/v1/parties/${id}/changes/${asked.body.id}`)
    expect((await paul().get(`/parties/${id}`)).body.state).toBe('BLOCKED')
    const own = await paul().post(`/parties/${id}/changes/${asked.body.id}/approve`)
    expect(own.code).toBe('FOUR_EYES_SAME_USER')
    await succeeded(staff(host, 'ana').post(`/parties/${id}/changes/${asked.body.id}/approve`))
    expect((await paul().post('/contracts', newContract(id))).status).toBe(201)
  })

  test('409 INVALID_STATE where there is nothing to block or to lift', async () => {
    const [active, blocked] = [await fresh(), await fresh()]
    await succeeded(paul().post(`/parties/${blocked}/block`, reason))
    const erased = (await changeIn(host, 'ERASURE', 'APPROVED')).itemId
    for (const [id, action, state] of [
      [blocked, 'block', 'BLOCKED'],
      [erased, 'block', 'ERASED'],
      [active, 'unblock', 'ACTIVE'],
      [erased, 'unblock', 'ERASED'],
    ] as const) {
      const answer = await paul().post(`/parties/${id}/${action}`, reason)
      expect(answer, action).toMatchObject({ status: 409, code: 'INVALID_STATE' })
      expect(answer.body).toMatchObject({
        ...{ state, allowedStates: [action === 'block' ? 'ACTIVE' : 'BLOCKED'] },
      })
    }
  })

  test('400 without a reason, 403 without the permission, 412 for another version; nothing changes', async () => {
    const id = await fresh()
    const before = await tableDigests(host.store)
    for (const action of ['block', 'unblock']) {
      const path = `/parties/${id}/${action}`
      expectFaults(await paul().post(path, {}), [
        { pointer: '/reason', code: 'REQUIRED', detail: '"reason" is required.' },
      ])
      const others = everyPermission.filter((code) => code !== 'party:update')
      const refused = await host.as('eva', ...others).post(path, reason)
      expect(refused).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
      expect(refused.body.requiredPermission).toBe('party:update')
    }
    const old = await paul().post(`/parties/${id}/block`, reason, { 'if-match': '"2"' })
    expect(old).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
    await succeeded(paul().post(`/parties/${id}/block?dryRun=true`, reason))
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('partner staff block and ask to unblock what they see, and nothing else (platform 3, rule 16)', async () => {
    const partnerId = await partnerNamed(host.db, 'BLOCKS')
    const dealer = host.as('dora', { permissions: everyPermission, partnerId })
    const own = await createParty(dealer, newPerson(`Blocked ${++count}`))
    expect((await dealer.post(`/parties/${own}/block`, reason)).status).toBe(200)
    expect((await dealer.post(`/parties/${own}/unblock`, reason)).status).toBe(202)
    const foreign = await dealer.post(`/parties/${await fresh()}/block`, reason)
    expect(foreign).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})
