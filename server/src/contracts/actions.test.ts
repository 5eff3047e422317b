import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client, TestAnswer } from '../../test/client.ts'
import {
  contractIn,
  leftBehind,
  partnerNamed,
  SITUATIONS,
  type Situation,
} from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { contractActionList } from './actions.ts'
import { contractPermissions } from './permissions.ts'

const ALL = Object.keys(contractPermissions)
const reason = 'Because.'

/** How each action is asked for; a new action must say so here. */
const CALLS: Readonly<Record<string, (client: Client, path: string) => Promise<TestAnswer>>> = {
  edit: (client, path) =>
    client.patch(`${path}?dryRun=true`, { externalRef: 'X' }, { 'if-match': '*' }),
  submit: (client, path) => client.post(`${path}/submit?dryRun=true`),
  approve: (client, path) => client.post(`${path}/approve?dryRun=true`),
  reject: (client, path) => client.post(`${path}/reject?dryRun=true`, { reason }),
  return: (client, path) => client.post(`${path}/return?dryRun=true`, { reason }),
  withdraw: (client, path) => client.post(`${path}/withdraw?dryRun=true`, { reason }),
  reopen: (client, path) => client.post(`${path}/reopen?dryRun=true`, { reason }),
  activate: (client, path) => client.post(`${path}/activate?dryRun=true`),
  settle: (client, path) =>
    client.post(`${path}/settle?dryRun=true`, { reason, effectiveDate: '2027-06-30' }),
  terminate: (client, path) =>
    client.post(`${path}/terminate?dryRun=true`, { reason, effectiveDate: '2027-06-30' }),
  amend: (client, path) =>
    client.post(`${path}/changes?dryRun=true`, { reason, terms: { nominalRate: '5' } }),
}

/** Where each command is allowed (platform contract, section 4). */
const ALLOWED: Readonly<Record<string, readonly Situation[]>> = {
  edit: ['DRAFT', 'RETURNED'],
  submit: ['DRAFT', 'RETURNED'],
  approve: ['PENDING_APPROVAL'],
  reject: ['PENDING_APPROVAL'],
  return: ['PENDING_APPROVAL'],
  withdraw: ['DRAFT', 'RETURNED', 'PENDING_APPROVAL', 'APPROVED'],
  reopen: ['APPROVED'],
  activate: ['APPROVED'],
  settle: ['ACTIVE'],
  terminate: ['ACTIVE'],
  amend: ['ACTIVE'],
}
const FOUR_EYES = new Set(['approve', 'reject', 'return', 'activate'])
const DECIDED: readonly Situation[] = [
  ...(['RETURNED', 'APPROVED', 'REJECTED', 'ACTIVE', 'SETTLED', 'TERMINATED'] as const),
]

/** What someone else with every permission gets. */
function outcomeFor(action: string, situation: Situation): string {
  if (ALLOWED[action]?.includes(situation)) return 'DONE'
  const decides = ['approve', 'reject', 'return'].includes(action)
  return decides && DECIDED.includes(situation) ? 'ALREADY_DECIDED' : 'INVALID_STATE'
}

const outcomeOf = ({ status, code }: TestAnswer): string => code ?? (status === 200 ? 'DONE' : '?')

describe.each(STORE_KINDS)('states and commands on %s', (store) => {
  let host: Host
  let [partyId, partnerId, otherPartner] = ['', '', '']
  const ids = new Map<Situation, string>()
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
    partnerId = await partnerNamed(host.db, 'OWN')
    otherPartner = await partnerNamed(host.db, 'OTHER')
    for (const situation of SITUATIONS) {
      ids.set(situation, await contractIn(host, situation, { partyId, partnerId } as never))
    }
  })
  afterAll(() => host.close())

  const paths = (): [Situation, string][] =>
    [...ids].map(([situation, id]) => [situation, `/contracts/${id}`])

  test('every action can be asked for', () => {
    expect(contractActionList.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort())
    expect(Object.keys(ALLOWED).sort()).toEqual(Object.keys(CALLS).sort())
  })

  test('each command answers in each state as the contract says, for someone else and for the preparer (spec 3.1)', async () => {
    const before = await leftBehind(host.db)
    for (const [situation, path] of paths()) {
      for (const [action, call] of Object.entries(CALLS)) {
        const expected = outcomeFor(action, situation)
        const other = await call(host.as('eva', ...ALL), path)
        expect(outcomeOf(other), `${situation} ${action} ${other.text}`).toBe(expected)
        if (expected === 'INVALID_STATE') {
          expect(other.body.state).toBe(situation === 'RETURNED' ? 'DRAFT' : situation)
          expect(other.body.allowedStates).toEqual(
            ALLOWED[action]?.filter((state) => state !== 'RETURNED'),
          )
        }
        const own = await call(host.as('paul', ...ALL), path)
        const refused = FOUR_EYES.has(action) ? 'FOUR_EYES_SAME_USER' : expected
        expect(outcomeOf(own), `${situation} ${action} by the preparer`).toBe(refused)
      }
    }
    expect(await leftBehind(host.db)).toEqual(before)
  })

  test('each command is 403 without its permission and 404 out of scope, in each state (spec 5.5.3)', async () => {
    const permissionOf = new Map(contractActionList.map((each) => [each.name, each.permission]))
    for (const [situation, path] of paths()) {
      for (const [action, call] of Object.entries(CALLS)) {
        const others = ALL.filter((code) => code !== permissionOf.get(action))
        const unpermitted = await call(host.as('eva', ...others), path)
        expect(outcomeOf(unpermitted), `${situation} ${action}`).toBe('PERMISSION_MISSING')
        expect(unpermitted.body.requiredPermission).toBe(permissionOf.get(action))
        const foreign = host.as('eva', { permissions: ALL, partnerId: otherPartner })
        expect(outcomeOf(await call(foreign, path)), `${situation} ${action}`).toBe('NOT_FOUND')
      }
    }
  })

  test('actions[] promise exactly what the endpoints answer, code and sentence, for every user', async () => {
    const users: Readonly<Record<string, Client>> = {
      preparer: host.as('paul', ...ALL),
      other: host.as('eva', ...ALL),
      reader: host.as('rita', 'contract:read'),
      approver: host.as('ben', 'contract:approve'),
      'service account': host.as('service-account-x', ...ALL),
      'partner staff': host.as('dora', { permissions: ALL, partnerId }),
      customer: host.as('clara', { permissions: ALL, partyId }),
    }
    for (const [name, client] of Object.entries(users)) {
      for (const [situation, path] of paths()) {
        const { body } = await client.get(path)
        expect(body.actions).toHaveLength(contractActionList.length)
        for (const action of body.actions) {
          const where = `${name} ${situation} ${action.name}`
          const answer = await (CALLS[action.name] as (typeof CALLS)[string])(client, path)
          expect(answer.status === 200, `${where} ${answer.text}`).toBe(action.allowed)
          const refused = answer.code && { code: answer.code, detail: answer.body.detail }
          expect(refused ?? null, where).toEqual(action.reason)
        }
      }
    }
  })

  test('a list tells the same actions as the contract itself', async () => {
    for (const client of [host.as('paul', ...ALL), host.as('ben', 'contract:approve')]) {
      const { body } = await client.get('/contracts?limit=200')
      for (const item of body.items) {
        expect(item.actions).toEqual((await client.get(`/contracts/${item.id}`)).body.actions)
      }
    }
  })
})
