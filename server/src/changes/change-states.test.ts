import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ALL_KINDS,
  CHANGE_SITUATIONS,
  type ChangeSituation,
  type ChangeStory,
  changeIn,
  ITEM_KINDS,
  isPossible,
  PROPOSED_WITH,
  reason,
  staff,
} from '../../test/change-stories.ts'
import type { Client, TestAnswer } from '../../test/client.ts'
import { partnerNamed, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import { everyPermission } from '../../test/walk.ts'

const COMMANDS = ['approve', 'reject', 'withdraw'] as const
type Command = (typeof COMMANDS)[number]

const tried = (client: Client, path: string, command: string): Promise<TestAnswer> =>
  client.post(`${path}/${command}?dryRun=true`, command === 'approve' ? undefined : reason)

const outcomeOf = ({ status, code }: TestAnswer): string => code ?? (status === 200 ? 'DONE' : '?')

/** What someone else with every permission gets. */
function expectedFor(command: Command, situation: ChangeSituation): string {
  if (situation === 'PENDING') return 'DONE'
  if (situation === 'MOVED') return command === 'approve' ? 'INVALID_STATE' : 'DONE'
  return situation === 'WITHDRAWN' ? 'INVALID_STATE' : 'ALREADY_DECIDED'
}

describe.each(STORE_KINDS)('states and commands of changes on %s', (store) => {
  let host: Host
  let partnerId: string
  const stories: [ChangeSituation, ChangeStory][] = []
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'STATES')
    for (const kind of ALL_KINDS)
      for (const situation of CHANGE_SITUATIONS.filter((each) => isPossible(kind, each)))
        stories.push([situation, await changeIn(host, kind, situation, { partnerId })])
  })
  afterAll(() => host.close())

  test('each command answers in each state as the contract says, for others and the preparer (platform 4)', async () => {
    const before = await tableDigests(host.store)
    for (const [situation, { kind, path }] of stories) {
      for (const command of COMMANDS) {
        const expected = expectedFor(command, situation)
        const where = `${kind} ${situation} ${command}`
        const other = await tried(staff(host, 'eva'), path, command)
        expect(outcomeOf(other), `${where} ${other.text}`).toBe(expected)
        const own = await tried(staff(host, 'paul'), path, command)
        const refused = command === 'withdraw' ? expected : 'FOUR_EYES_SAME_USER'
        expect(outcomeOf(own), `${where} by the preparer`).toBe(refused)
      }
    }
    expect(await tableDigests(host.store)).toEqual(before)
  })

  test('403 without the permission and 404 out of scope, in each state (platform 3, rule 16)', async () => {
    for (const [situation, { kind, path }] of stories.filter(([each]) => each !== 'REJECTED')) {
      const item = ITEM_KINDS[kind]
      for (const command of COMMANDS) {
        const needed =
          command === 'withdraw'
            ? everyPermission.filter(
                (code) => code.startsWith(`${item}:`) && !/:(read|approve)$/.test(code),
              )
            : [`${item}:approve`]
        const others = everyPermission.filter((code) => !needed.includes(code))
        const where = `${kind} ${situation} ${command}`
        const unpermitted = await tried(host.as('eva', ...others), path, command)
        expect(outcomeOf(unpermitted), where).toBe('PERMISSION_MISSING')
        const foreign = host.as('eva', { permissions: everyPermission, partnerId: 'ptn_other' })
        expect(outcomeOf(await tried(foreign, path, command)), where).toBe('NOT_FOUND')
      }
    }
  })

  test('whoever may propose a kind may take it back', async () => {
    for (const [situation, { kind, path }] of stories.filter(([each]) => each === 'PENDING')) {
      const answer = await tried(host.as('eva', PROPOSED_WITH[kind]), path, 'withdraw')
      expect(outcomeOf(answer), `${kind} ${situation}`).toBe('DONE')
    }
  })

  test('actions[] promise exactly what the endpoints answer, code and sentence, for every user (platform 4)', async () => {
    const told = stories.filter(([, { kind }]) =>
      ['TERMINATION', 'PARTY', 'ERASURE', 'PARTNER'].includes(kind),
    )
    for (const [situation, { kind, path, itemId }] of told) {
      const linked =
        ITEM_KINDS[kind] === 'partner'
          ? { partnerId: itemId }
          : { partnerId, ...(kind === 'ERASURE' && { partyId: itemId }) }
      const users: Readonly<Record<string, Client>> = {
        preparer: staff(host, 'paul'),
        'preparer in capitals': staff(host, 'PAUL'),
        other: staff(host, 'eva'),
        reader: host.as('rita', 'contract:read', 'party:read', 'partner:read'),
        approver: host.as('ben', 'contract:approve', 'party:approve', 'partner:approve'),
        'service account': staff(host, 'service-account-x'),
        linked: host.as('dora', { permissions: everyPermission, ...linked }),
        ...(ITEM_KINDS[kind] === 'party' && {
          customer: host.as('clara', { permissions: everyPermission, partyId: itemId }),
        }),
      }
      for (const [name, client] of Object.entries(users)) {
        const { body } = await succeeded(client.get(path))
        expect(body.actions.map((each: { name: string }) => each.name)).toEqual([...COMMANDS])
        for (const action of body.actions) {
          const where = `${name} ${kind} ${situation} ${action.name}`
          const answer = await tried(client, path, action.name)
          expect(answer.status === 200, `${where} ${answer.text}`).toBe(action.allowed)
          const refused = answer.code && { code: answer.code, detail: answer.body.detail }
          expect(refused ?? null, where).toEqual(action.reason)
        }
      }
    }
  })

  test('no caller linked to a partner decides about a partner or an erasure; a customer about nothing (platform 3)', async () => {
    for (const [, { kind, path, itemId }] of stories.filter(([each]) => each === 'PENDING')) {
      const ofPartner = ITEM_KINDS[kind] === 'partner'
      const dealer = host.as('dora', {
        permissions: everyPermission,
        partnerId: ofPartner ? itemId : partnerId,
      })
      const answer = outcomeOf(await tried(dealer, path, 'approve'))
      const refused = ofPartner || kind === 'ERASURE'
      expect(answer, kind).toBe(refused ? 'PERMISSION_MISSING' : 'DONE')
      if (ITEM_KINDS[kind] !== 'party') continue
      const clara = host.as('clara', { permissions: everyPermission, partyId: itemId })
      for (const command of ['approve', 'reject'])
        expect(outcomeOf(await tried(clara, path, command)), kind).toBe('PERMISSION_MISSING')
    }
  })
})
