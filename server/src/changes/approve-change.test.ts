import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ALL_KINDS,
  changeIn,
  entriesOf,
  proposed,
  reason,
  staff,
  wordsOf,
} from '../../test/change-stories.ts'
import { succeeded } from '../../test/contract-stories.ts'
import { expectFaults } from '../../test/faults.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { tableDigests } from '../../test/table-digest.ts'
import type { ChangeKind } from './index.ts'

/** What the item reads before and after, and the entry that tells of it. */
const EFFECTS: Readonly<
  Record<ChangeKind, { before: object; after: object; told: string; pointer: string }>
> = {
  AMENDMENT: {
    before: { state: 'ACTIVE', terms: { termMonths: 48 }, flags: ['CHANGE_PENDING'] },
    after: { state: 'ACTIVE', terms: { termMonths: 60 }, flags: [] },
    told: 'contract.amended',
    pointer: '/terms/termMonths',
  },
  SETTLEMENT: {
    before: { state: 'ACTIVE', flags: ['CHANGE_PENDING'] },
    after: { state: 'SETTLED', effectiveDate: '2027-06-30', flags: [] },
    told: 'contract.settled',
    pointer: '/effectiveDate',
  },
  TERMINATION: {
    before: { state: 'ACTIVE', flags: ['CHANGE_PENDING'] },
    after: { state: 'TERMINATED', effectiveDate: '2027-06-30', flags: [] },
    told: 'contract.terminated',
    pointer: '/effectiveDate',
  },
  PARTY: {
    before: { version: 1, pendingChanges: [{ kind: 'PARTY' }] },
    after: { version: 2, bankAccount: { holder: 'Clara Sommer' }, pendingChanges: [] },
    told: 'party.changed',
    pointer: '/bankAccount/iban',
  },
  UNBLOCK: {
    before: { state: 'BLOCKED', pendingChanges: [{ kind: 'UNBLOCK' }] },
    after: { state: 'ACTIVE', pendingChanges: [] },
    told: 'party.unblocked',
    pointer: '/state',
  },
  ERASURE: {
    before: { state: 'ACTIVE', pendingChanges: [{ kind: 'ERASURE' }] },
    after: { state: 'ERASED', displayName: '–', pendingChanges: [] },
    told: 'party.erased',
    pointer: '/state',
  },
  PARTNER: {
    before: { version: 1, pendingChanges: [{ kind: 'PARTNER' }] },
    after: { version: 2, bankAccount: { holder: 'Clara Sommer' }, pendingChanges: [] },
    told: 'partner.changed',
    pointer: '/bankAccount/iban',
  },
  RESUME: {
    before: { state: 'SUSPENDED', pendingChanges: [{ kind: 'RESUME' }] },
    after: { state: 'ACTIVE', pendingChanges: [] },
    told: 'partner.resumed',
    pointer: '/state',
  },
}

describe.each(STORE_KINDS)('approving a change on %s', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store })
  })
  afterAll(() => host.close())
  const ana = () => host.as('ana', 'contract:approve', 'party:approve', 'partner:approve')

  test.each(ALL_KINDS)(
    '200 and %s is in force at once; until then the old value stays (platform 4)',
    async (kind) => {
      const { before, after, told, pointer } = EFFECTS[kind]
      const { id, itemId, itemPath, path } = await proposed(host, kind)
      const item = await succeeded(ana().get(itemPath))
      expect(item.body).toMatchObject(before)
      const seen = await succeeded(ana().get(path))
      expect(seen.body).toMatchObject({
        ...{ id, kind, itemId, state: 'PENDING', version: 1, baseVersion: item.body.version },
        reason: 'As agreed.',
        approval: { status: 'PENDING', preparedBy: [{ username: 'paul' }], decisions: [] },
        createdBy: { username: 'paul' },
      })
      expect(seen.body.diff.map((row: { pointer: string }) => row.pointer)).toContain(pointer)

      const done = await succeeded(ana().post(`${path}/approve`, { comment: 'Fine.' }))
      const { contentHash } = seen.body.approval
      expect(done.body).toMatchObject({ id, state: 'APPROVED', version: 2 })
      expect(done.body.approval).toMatchObject({
        status: 'APPROVED',
        decisions: [
          {
            ...{ decision: 'APPROVED', by: { username: 'ana' }, version: 1, versionStated: false },
            ...{ comment: 'Fine.', contentHash },
          },
        ],
      })
      const now = await succeeded(staff(host, 'ana').get(itemPath))
      expect(now.body).toMatchObject({ ...after, version: item.body.version + 1 })
      const last = (await entriesOf(host.db, id, itemId)).slice(-2)
      expect(last).toMatchObject([
        { action: 'change.approved', outcome: 'DONE', username: 'ana' },
        { action: told, outcome: 'DONE', username: 'ana' },
      ])
    },
  )

  test('the decision says whether the version was stated, and 412 when another one was', async () => {
    const { path } = await proposed(host, 'PARTY')
    const stale = await ana().post(`${path}/approve`, undefined, { 'if-match': '"7"' })
    expect(stale).toMatchObject({ status: 412, code: 'VERSION_CONFLICT', body: { version: 1 } })
    const { body } = await succeeded(
      ana().post(`${path}/approve`, undefined, { 'if-match': '"1"' }),
    )
    expect(body.approval.decisions[0]).toMatchObject({ versionStated: true })
    expect(body.approval.decisions[0]).not.toHaveProperty('comment')
  })

  test('409 INVALID_STATE once the item has moved on; it can still be rejected (platform 4)', async () => {
    for (const kind of ['PARTY', 'ERASURE', 'PARTNER'] as const) {
      const { path, itemPath } = await changeIn(host, kind, 'MOVED')
      const before = await tableDigests(host.store)
      const refused = await ana().post(`${path}/approve`)
      expect(refused).toMatchObject({ status: 409, code: 'INVALID_STATE' })
      expect(refused.body).toMatchObject({ baseVersion: 1, itemVersion: 2 })
      expect(refused.body.detail).toMatch(/version 1, now 2.*Reject the change/)
      expect(await tableDigests(host.store)).toEqual(before)
      await succeeded(ana().post(`${path}/reject`, reason))
      expect((await staff(host, 'ana').get(itemPath)).body.pendingChanges).toEqual([])
    }
  })

  test('409 ALREADY_DECIDED names who decided; INVALID_STATE after a withdrawal', async () => {
    const approved = await changeIn(host, 'TERMINATION', 'APPROVED')
    const again = await host.as('ben', 'contract:approve').post(`${approved.path}/approve`)
    expect(again).toMatchObject({ status: 409, code: 'ALREADY_DECIDED' })
    expect(again.body).toMatchObject({ decision: 'APPROVED', decidedBy: { username: 'ana' } })
    const withdrawn = await changeIn(host, 'PARTY', 'WITHDRAWN')
    const late = await ana().post(`${withdrawn.path}/approve`)
    expect(late).toMatchObject({ status: 409, code: 'INVALID_STATE' })
    expect(late.body).toMatchObject({ state: 'WITHDRAWN', allowedStates: ['PENDING'] })
  })

  test('404 with the same body for a change of another item, an unknown one and a foreign kind', async () => {
    const [one, other] = [await proposed(host, 'PARTY'), await proposed(host, 'PARTY')]
    const contract = await proposed(host, 'AMENDMENT')
    const shown = async (path: string) => wordsOf(await ana().post(`${path}/approve`))
    const unknown = await shown(`${one.itemPath}/changes/chg_unknown`)
    expect(unknown).toMatchObject({ status: 404, detail: 'There is no such change.' })
    for (const id of [other.id, contract.id])
      expect(await shown(`${one.itemPath}/changes/${id}`)).toEqual(unknown)
  })

  test('400 for a comment that is blank or too long and for any other field (rule 17)', async () => {
    const { path } = await proposed(host, 'PARTY')
    for (const [body, pointer, code] of [
      [{ comment: ' ' }, '/comment', 'WRONG_FORMAT'],
      [{ comment: 'x'.repeat(1_001) }, '/comment', 'TOO_LONG'],
      [{ state: 'APPROVED' }, '/state', 'UNKNOWN_FIELD'],
      [{ proposal: {} }, '/proposal', 'UNKNOWN_FIELD'],
      [{ preparers: [] }, '/preparers', 'UNKNOWN_FIELD'],
    ] as const) {
      expectFaults(await ana().post(`${path}/approve`, body), [{ pointer, code, detail: /./ }])
    }
    expect((await ana().post(`${path}/approve`, '', { 'content-type': 'text/plain' })).status).toBe(
      200,
    )
  })

  test('200 for a dry run of every kind, and not a byte is stored', async () => {
    for (const kind of ALL_KINDS) {
      const { path, itemPath } = await proposed(host, kind)
      const before = await tableDigests(host.store)
      const dry = await succeeded(ana().post(`${path}/approve?dryRun=true`))
      expect(dry.body, kind).toMatchObject({ dryRun: true, result: { state: 'APPROVED' } })
      expect(await tableDigests(host.store), kind).toEqual(before)
      const { body } = await ana().get(itemPath)
      expect(body.pendingChanges?.length ?? body.flags.length, kind).toBe(1)
    }
  })
})
