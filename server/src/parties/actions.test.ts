import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeIn, itemFor, proposed, reason, staff } from '../../test/change-stories.ts'
import type { Client, TestAnswer } from '../../test/client.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'
import { partyActionList } from './actions.ts'

/** How each action is asked for; a new action must say so here. */
const CALLS: Readonly<Record<string, (client: Client, path: string) => Promise<TestAnswer>>> = {
  edit: (client, path) =>
    client.patch(`${path}?dryRun=true`, { email: 'x@example.org' }, { 'if-match': '*' }),
  block: (client, path) => client.post(`${path}/block?dryRun=true`, reason),
  unblock: (client, path) => client.post(`${path}/unblock?dryRun=true`, reason),
  erase: (client, path) => client.post(`${path}/erase?dryRun=true`, reason),
}

/** Someone else with every permission gets this (platform contract, section 4). */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ACTIVE: { edit: 'DONE', block: 'DONE', unblock: 'INVALID_STATE', erase: 'DONE' },
  'ACTIVE with a change': {
    ...{ edit: 'CHANGE_ALREADY_PENDING', block: 'DONE' },
    ...{ unblock: 'INVALID_STATE', erase: 'CHANGE_ALREADY_PENDING' },
  },
  BLOCKED: { edit: 'DONE', block: 'INVALID_STATE', unblock: 'DONE', erase: 'DONE' },
  'BLOCKED with a change': {
    ...{ edit: 'CHANGE_ALREADY_PENDING', block: 'INVALID_STATE' },
    ...{ unblock: 'CHANGE_ALREADY_PENDING', erase: 'CHANGE_ALREADY_PENDING' },
  },
  ERASED: {
    ...{ edit: 'INVALID_STATE', block: 'INVALID_STATE' },
    ...{ unblock: 'INVALID_STATE', erase: 'INVALID_STATE' },
  },
}

const outcomeOf = ({ status, code }: TestAnswer): string => code ?? (status === 200 ? 'DONE' : '?')

describe.each(STORE_KINDS)('states and commands of parties on %s', (store) => {
  let host: Host
  let partnerId: string
  const paths: Record<string, string> = {}
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'PARTIES')
    const links = { partnerId }
    paths['ACTIVE'] = await itemFor(host, 'PARTY', links)
    paths['ACTIVE with a change'] = (
      await proposed(host, 'PARTY', staff(host, 'paul'), links)
    ).itemPath
    paths['BLOCKED'] = await itemFor(host, 'UNBLOCK', links)
    paths['BLOCKED with a change'] = (await changeIn(host, 'UNBLOCK', 'PENDING', links)).itemPath
    paths['ERASED'] = (await changeIn(host, 'ERASURE', 'APPROVED', links)).itemPath
  })
  afterAll(() => host.close())

  test('each command answers in each state as the contract says (platform 4)', async () => {
    expect(partyActionList.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort())
    const before = await tableDigests(host.store)
    for (const [situation, path] of Object.entries(paths)) {
      for (const [action, call] of Object.entries(CALLS)) {
        const answer = await call(staff(host, 'eva'), path)
        const where = `${situation} ${action} ${answer.text}`
        expect(outcomeOf(answer), where).toBe(EXPECTED[situation]?.[action])
      }
    }
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('actions[] promise exactly what the endpoints answer, code and sentence, for every user (platform 4)', async () => {
    for (const [situation, path] of Object.entries(paths)) {
      const users: Readonly<Record<string, Client>> = {
        creator: staff(host, 'clem'),
        other: staff(host, 'eva'),
        reader: host.as('rita', 'party:read'),
        approver: host.as('ben', 'party:approve'),
        'service account': staff(host, 'service-account-x'),
        'partner staff': host.as('dora', { permissions: everyPermission, partnerId }),
        customer: host.as('clara', {
          permissions: everyPermission,
          partyId: path.split('/')[2] as string,
        }),
      }
      for (const [name, client] of Object.entries(users)) {
        const { body } = await succeeded(client.get(path))
        expect(body.actions).toHaveLength(partyActionList.length)
        for (const action of body.actions) {
          const where = `${name} ${situation} ${action.name}`
          const answer = await (CALLS[action.name] as (typeof CALLS)[string])(client, path)
          expect(answer.status === 200, `${where} ${answer.text}`).toBe(action.allowed)
          const refused = answer.code && { code: answer.code, detail: answer.body.detail }
          expect(refused ?? null, where).toEqual(action.reason)
        }
      }
      const list = await succeeded(staff(host, 'eva').get('/parties?limit=200'))
      const listed = list.body.items.find(({ id }: { id: string }) => path.endsWith(id))
      expect(listed.actions).toEqual((await staff(host, 'eva').get(path)).body.actions)
    }
  })
})
