import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ChangeStory,
  entriesOf,
  itemFor,
  propose,
  proposed,
  reason,
  staff,
} from '../../test/change-stories.ts'
import type { TestAnswer } from '../../test/client.ts'
import { succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import type { ChangeKind } from './index.ts'

const KINDS = ['AMENDMENT', 'PARTY', 'PARTNER'] as const satisfies readonly ChangeKind[]
const ROUNDS = 3
const LOST = ['409 ALREADY_DECIDED', '409 INVALID_STATE', '409 CHANGE_ALREADY_PENDING']

const told = ({ status, code }: TestAnswer): string => `${status}${code ? ` ${code}` : ''}`

describe.each(STORE_KINDS)('races about changes on %s (rule 15)', (store) => {
  let host: Host
  beforeAll(async () => {
    host = await startHost({ store, poolSize: 8 })
  })
  afterAll(() => host.close())

  /** One outcome: one winner, one entry of it, an item that moved exactly when it was approved. */
  async function expectOneOutcome(story: ChangeStory, answers: TestAnswer[]): Promise<void> {
    const outcomes = answers.map(told)
    expect(
      outcomes.filter((outcome) => outcome === '200'),
      outcomes.join(),
    ).toHaveLength(1)
    for (const outcome of outcomes) expect(['200', ...LOST]).toContain(outcome)
    const change = await succeeded(staff(host, 'rita').get(story.path))
    expect(change.body).toMatchObject({ version: 2 })
    const { state, baseVersion, approval } = change.body
    expect(approval.decisions).toHaveLength(state === 'WITHDRAWN' ? 0 : 1)
    const item = await succeeded(staff(host, 'rita').get(story.itemPath))
    expect(item.body.version).toBe(state === 'APPROVED' ? baseVersion + 1 : baseVersion)
    const entries = (await entriesOf(host.db, story.id)).filter(({ outcome }) => outcome === 'DONE')
    expect(entries.map(({ action }) => action)).toEqual([
      ...['change.proposed', `change.${state.toLowerCase()}`],
    ])
  }

  test.each(KINDS)('%s: of many approvers one wins, the others get 409', async (kind) => {
    for (let round = 0; round < ROUNDS; round++) {
      const story = await proposed(host, kind)
      const names = ['ana', 'ben', 'cem', 'dana', 'eva', 'finn']
      const answers = await Promise.all(
        names.map((name) => staff(host, name).post(`${story.path}/approve`)),
      )
      await expectOneOutcome(story, answers)
      const state = (await staff(host, 'rita').get(story.path)).body.state
      expect(state).toBe('APPROVED')
    }
  })

  test.each(KINDS)(
    '%s: approve against reject against withdraw ends in one of them',
    async (kind) => {
      for (let round = 0; round < ROUNDS; round++) {
        const story = await proposed(host, kind)
        const answers = await Promise.all([
          staff(host, 'paul').post(`${story.path}/withdraw`, reason),
          staff(host, 'ana').post(`${story.path}/approve`),
          staff(host, 'ben').post(`${story.path}/reject`, reason),
        ])
        await expectOneOutcome(story, answers)
      }
    },
  )

  test.each(KINDS)(
    '%s: of many proposals one waits; approve against a second proposal is legal',
    async (kind) => {
      const itemPath = await itemFor(host, kind)
      const names = ['paul', 'pia', 'pit', 'pola']
      const asked = await Promise.all(
        names.map((name) => propose(staff(host, name), kind, itemPath)),
      )
      const outcomes = asked.map(told).sort()
      expect(outcomes).toEqual(['202', ...Array(3).fill('409 CHANGE_ALREADY_PENDING')])
      const first = asked.find(({ status }) => status === 202) as TestAnswer
      const [decided, second] = await Promise.all([
        staff(host, 'ana').post(`${itemPath}/changes/${first.body.id}/approve`),
        propose(staff(host, 'pia'), kind, itemPath),
      ])
      expect(told(decided)).toBe('200')
      // A second proposal waits for nothing, or comes too late for it, or changes nothing any more.
      expect(['202', '200', '409 CHANGE_ALREADY_PENDING', '422 RULE_VIOLATED']).toContain(
        told(second),
      )
      const open = await host.db.read({ rows: 'ALL', subject: 'test' }, (read) =>
        read.one<{ n: number }>(sql`
        select count(*) as n from change
         where item_id = ${itemPath.split('/')[2]} and state = 'PENDING'`),
      )
      expect(open.n).toBe(second.status === 202 ? 1 : 0)
    },
  )

  test('approve against a block: both in order, or the change is left behind', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { path, itemPath } = await proposed(host, 'PARTY')
      const [decided, blocked] = await Promise.all([
        staff(host, 'ana').post(`${path}/approve`),
        staff(host, 'otto').post(`${itemPath}/block`, reason),
      ])
      expect(told(blocked)).toBe('200')
      expect(['200', '409 INVALID_STATE']).toContain(told(decided))
      const { body } = await succeeded(staff(host, 'rita').get(itemPath))
      expect(body).toMatchObject({ state: 'BLOCKED', version: decided.status === 200 ? 3 : 2 })
      expect('bankAccount' in body).toBe(decided.status === 200)
    }
  })

  test('an erasure against a new contract: never both', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { path, itemId, itemPath } = await proposed(host, 'ERASURE')
      const terms = {
        financedAmount: { amount: '100.00', currency: 'EUR' },
        ...{ nominalRate: '1', termMonths: 12, firstDueDate: '2027-01-31' },
      }
      const [erased, created] = await Promise.all([
        staff(host, 'ana').post(`${path}/approve`),
        staff(host, 'paul').post('/contracts', { partyId: itemId, type: 'LOAN', terms }),
      ])
      expect([told(erased), told(created)].sort(), `${erased.text} ${created.text}`).toEqual(
        erased.status === 200 ? ['200', '422 RULE_VIOLATED'] : ['201', '422 RULE_VIOLATED'],
      )
      const { body } = await succeeded(staff(host, 'rita').get(itemPath))
      expect(body.state).toBe(erased.status === 200 ? 'ERASED' : 'ACTIVE')
    }
  })
})
