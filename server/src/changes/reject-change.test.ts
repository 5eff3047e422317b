import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ALL_KINDS,
  entriesOf,
  propose,
  proposed,
  reason,
  staff,
} from '../../test/change-stories.ts'
import { succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'

/** Rejecting and withdrawing end a change alike: nothing happens, the story stays. */
const ENDINGS = [
  { move: 'reject', state: 'REJECTED', by: 'ana', told: 'change.rejected' },
  { move: 'withdraw', state: 'WITHDRAWN', by: 'paul', told: 'change.withdrawn' },
] as const

describe.each(STORE_KINDS)('rejecting and withdrawing a change on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())

  test.each(ENDINGS)(
    '200 when $by has it $state: the item stays, the story too (platform 4)',
    async (ending) => {
      const { move, state, by, told } = ending
      for (const kind of ALL_KINDS) {
        const { id, itemId, itemPath, path } = await proposed(host, kind)
        const before = await succeeded(staff(host, 'ana').get(itemPath))
        const { body } = await succeeded(
          staff(host, by).post(`${path}/${move}`, { reason: `Not ${kind}.` }),
        )
        expect(body, kind).toMatchObject({ id, kind, state, version: 2, reason: 'As agreed.' })
        if (move === 'reject') {
          expect(body.approval.decisions).toMatchObject([
            { decision: 'REJECTED', by: { username: 'ana' }, version: 1, comment: `Not ${kind}.` },
          ])
        } else {
          expect(body).toMatchObject({ withdrawalReason: `Not ${kind}.` })
          expect(body.approval.decisions).toEqual([])
        }
        const after = await succeeded(staff(host, 'ana').get(itemPath))
        expect(after.body.version, kind).toBe(before.body.version)
        expect(after.body.pendingChanges ?? after.body.flags).toEqual([])
        const kept = await succeeded(staff(host, 'eva').get(path))
        expect({ ...kept.body, actions: [] }).toEqual({ ...body, actions: [] })
        const entries = await entriesOf(host.db, id, itemId)
        expect(entries.at(-1)).toMatchObject({ action: told, outcome: 'DONE', username: by })
        expect(entries.at(-1)?.diff).toContainEqual({
          ...{ pointer: '/reason', before: null, after: `Not ${kind}.` },
        })
        expect((await propose(staff(host, 'paul'), kind, itemPath)).status, 'and anew').toBe(202)
      }
    },
  )

  test.each(ENDINGS)(
    '400 without a reason, or with another field, to $move (rule 17)',
    async ({ move, by }) => {
      const { path } = await proposed(host, 'PARTY')
      const before = await tableDigests(host.store)
      for (const [body, pointer, code] of [
        [undefined, '', 'REQUIRED'],
        [{}, '/reason', 'REQUIRED'],
        [{ reason: ' ' }, '/reason', 'WRONG_FORMAT'],
        [{ reason: 'x'.repeat(1_001) }, '/reason', 'TOO_LONG'],
        [{ ...reason, state: 'APPROVED' }, '/state', 'UNKNOWN_FIELD'],
        [{ ...reason, decisions: [] }, '/decisions', 'UNKNOWN_FIELD'],
      ] as const) {
        const answer = await staff(host, by).post(`${path}/${move}`, body)
        expectFaults(answer, [{ pointer, code, detail: /./ }])
      }
      expect(await tableDigests(host.store)).toEqual(before)
    },
  )

  test.each(ENDINGS)(
    '412 for another version, and 200 for a dry run that stores nothing, to $move',
    async ({ move, by, state }) => {
      const { path } = await proposed(host, 'TERMINATION')
      const before = await tableDigests(host.store)
      const old = await staff(host, by).post(`${path}/${move}`, reason, { 'if-match': '"9"' })
      expect(old).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
      const dry = await succeeded(staff(host, by).post(`${path}/${move}?dryRun=true`, reason))
      expect(dry.body).toMatchObject({ dryRun: true, result: { state, version: 2 } })
      expect(await tableDigests(host.store)).toEqual(before)
    },
  )

  test('409 FOUR_EYES_SAME_USER when the proposer rejects; withdrawing is the way', async () => {
    const { path } = await proposed(host, 'PARTNER')
    const own = await staff(host, 'paul').post(`${path}/reject`, reason)
    expect(own).toMatchObject({ status: 409, code: 'FOUR_EYES_SAME_USER' })
    expect(own.body.preparedBy.username).toBe('paul')
    expect((await staff(host, 'paul').post(`${path}/withdraw`, reason)).status).toBe(200)
  })
})
