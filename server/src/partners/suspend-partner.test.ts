import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entriesOf, itemFor, proposed, reason, staff } from '../../test/change-stories.ts'
import type { Client, TestAnswer } from '../../test/client.ts'
import { succeeded } from '../../test/contract-stories.ts'
import { expectFaults, expectRefusal } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, createParty, newContract, newPerson } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'
import { partnerActionList } from './actions.ts'

const SUSPENDED = { pointer: '/partnerId', code: 'PARTNER_SUSPENDED', detail: /no new contracts/ }

/** How each action is asked for; a new action must say so here. */
const CALLS: Readonly<Record<string, (client: Client, path: string) => Promise<TestAnswer>>> = {
  edit: (client, path) => client.patch(`${path}?dryRun=true`, { name: 'X' }, { 'if-match': '*' }),
  suspend: (client, path) => client.post(`${path}/suspend?dryRun=true`, reason),
  resume: (client, path) => client.post(`${path}/resume?dryRun=true`, reason),
}

/** Someone else with every permission gets this (platform contract, section 4). */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ACTIVE: { edit: 'DONE', suspend: 'DONE', resume: 'INVALID_STATE' },
  'ACTIVE with a change': {
    ...{ edit: 'CHANGE_ALREADY_PENDING', suspend: 'DONE', resume: 'INVALID_STATE' },
  },
  SUSPENDED: { edit: 'DONE', suspend: 'INVALID_STATE', resume: 'DONE' },
  'SUSPENDED with a change': {
    ...{ edit: 'CHANGE_ALREADY_PENDING', suspend: 'INVALID_STATE' },
    resume: 'CHANGE_ALREADY_PENDING',
  },
}

describe.each(STORE_KINDS)('suspendPartner and resumePartner on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  const paul = () => staff(host, 'paul')
  const idIn = (path: string): string => path.split('/')[2] as string

  test('200 and suspended at once: it brings no new contracts, the old ones are flagged (platform 4)', async () => {
    const path = await itemFor(host, 'PARTNER')
    const partnerId = idIn(path)
    const partyId = await createParty(paul())
    const contract = await createContract(paul(), newContract(partyId, { partnerId }))
    const draft = await createContract(paul(), newContract(partyId, { draft: true }))
    const { body } = await succeeded(paul().post(`${path}/suspend`, { reason: 'Complaints.' }))
    expect(body).toMatchObject({ state: 'SUSPENDED', version: 2, updatedBy: { username: 'paul' } })
    expect((await paul().get(`/contracts/${contract}`)).body.flags).toEqual(['PARTNER_SUSPENDED'])
    const given = newContract(partyId, { partnerId })
    expectRefusal(await paul().post('/contracts', given), 422, 'RULE_VIOLATED', [SUSPENDED])
    const dealer = host.as('dora', { permissions: everyPermission, partnerId })
    const own = await createParty(dealer)
    const brought = await dealer.post('/contracts', newContract(own))
    expectRefusal(brought, 422, 'RULE_VIOLATED', [SUSPENDED])
    const { partyId: _, ...terms } = newContract('')
    const before = await tableDigests(host.store)
    const inOneGo = await dealer.post('/contracts', { ...terms, party: newPerson('Never') })
    expectRefusal(inOneGo, 422, 'RULE_VIOLATED', [SUSPENDED])
    expect(await tableDigests(host.store), 'the party is not left behind').toEqual(before)
    const moved = await paul().patch(`/contracts/${draft}`, { partnerId }, { 'if-match': '*' })
    expectRefusal(moved, 422, 'RULE_VIOLATED', [SUSPENDED])
    const entry = (await entriesOf(host.db, partnerId)).at(-1)
    expect(entry).toMatchObject({ action: 'partner.suspended', username: 'paul' })
    expect(entry?.diff).toEqual(
      expect.arrayContaining([
        { pointer: '/state', before: 'ACTIVE', after: 'SUSPENDED' },
        { pointer: '/reason', before: null, after: 'Complaints.' },
      ]),
    )
  })

  test('200 although a change waits, which then cannot be approved any more', async () => {
    const { path, itemPath } = await proposed(host, 'PARTNER')
    await succeeded(paul().post(`${itemPath}/suspend`, reason))
    expect((await staff(host, 'ana').post(`${path}/approve`)).code).toBe('INVALID_STATE')
  })

  test('400 without a reason, 412 for another version; nothing changes', async () => {
    const path = await itemFor(host, 'PARTNER')
    const before = await tableDigests(host.store)
    for (const action of ['suspend', 'resume'])
      expectFaults(await paul().post(`${path}/${action}`, {}), [
        { pointer: '/reason', code: 'REQUIRED', detail: '"reason" is required.' },
      ])
    const old = await paul().post(`${path}/suspend`, reason, { 'if-match': '"2"' })
    expect(old).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('each command answers in each state as the contract says, and actions[] promise it (platform 4)', async () => {
    expect(partnerActionList.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort())
    const paths: Readonly<Record<string, string>> = {
      ACTIVE: await itemFor(host, 'PARTNER'),
      'ACTIVE with a change': (await proposed(host, 'PARTNER')).itemPath,
      SUSPENDED: await itemFor(host, 'RESUME'),
      'SUSPENDED with a change': (await proposed(host, 'RESUME')).itemPath,
    }
    const before = await tableDigests(host.store)
    for (const [situation, path] of Object.entries(paths)) {
      const users: Readonly<Record<string, Client>> = {
        creator: staff(host, 'clem'),
        other: staff(host, 'eva'),
        reader: host.as('rita', 'partner:read'),
        approver: host.as('ben', 'partner:approve'),
        'partner staff': host.as('dora', { permissions: everyPermission, partnerId: idIn(path) }),
      }
      for (const [name, client] of Object.entries(users)) {
        const { body } = await succeeded(client.get(path))
        for (const action of body.actions) {
          const where = `${name} ${situation} ${action.name}`
          const answer = await (CALLS[action.name] as (typeof CALLS)[string])(client, path)
          expect(answer.status === 200, `${where} ${answer.text}`).toBe(action.allowed)
          const refused = answer.code && { code: answer.code, detail: answer.body.detail }
          expect(refused ?? null, where).toEqual(action.reason)
          if (name === 'other')
            expect(answer.code ?? 'DONE', where).toBe(EXPECTED[situation]?.[action.name])
          if (name === 'partner staff') expect(answer.code, where).toBe('PERMISSION_MISSING')
        }
      }
    }
    expect(await tableDigests(host.store)).toEqual(before)
  })
})
