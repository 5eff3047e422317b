import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AT_THE_END,
  copyIn,
  decidesChange,
  jsonb,
  touched,
  triedInOrder,
  updateIn,
} from '../../test/change-rows.ts'
import { type ChangeStory, changeIn, proposed } from '../../test/change-stories.ts'
import { type Assignments, expectRefusedBy } from '../../test/contract-changes.ts'
import { type Actor, developer, refOf } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { type Statement, sql } from '../storage/sql.ts'

const [ana, eva, clem] = [developer('ana'), developer('eva'), developer('clem')]
const account = jsonb({ iban: 'DE02120300000000202051', holder: 'X' })

const carriesOut = (id: string): Assignments => ({ ...touched(ana), change_id: sql`${id}::text` })
const PROPOSED_ACCOUNT = (id: string): Assignments => ({
  bank_account: sql`(select proposal -> 'bankAccount' from change where id = ${id})`,
  ...carriesOut(id),
})
const RESUMED = (id: string): Assignments => ({ state: sql`'ACTIVE'`, ...carriesOut(id) })

describe.each(STORE_KINDS)('the second lock of partners on %s (rule 14)', (store) => {
  let host: Host
  let banked: ChangeStory
  let other: ChangeStory
  let resume: ChangeStory
  let approved: ChangeStory
  beforeAll(async () => {
    host = await startHost({ store })
    banked = await proposed(host, 'PARTNER')
    other = await proposed(host, 'PARTNER')
    resume = await proposed(host, 'RESUME')
    approved = await changeIn(host, 'PARTNER', 'APPROVED')
  })
  afterAll(() => host.close())

  const tried = (actor: Actor | undefined, ...statements: Statement[]) =>
    triedInOrder(host.store, actor, statements)
  const approve = ({ id }: ChangeStory): Statement => updateIn('change', id, decidesChange(ana))
  const update = ({ itemId }: ChangeStory, set: Assignments): Statement =>
    updateIn('partner', itemId, set)

  test('what the application does is accepted, to the end of the transaction', async () => {
    for (const [story, set] of [
      [banked, PROPOSED_ACCOUNT],
      [resume, RESUMED],
    ] as const) {
      const steps = [approve(story), update(story, set(story.id))]
      expect(await tried(ana, ...steps), story.kind).toBe(1)
      expect(await tried(ana, ...steps, AT_THE_END), story.kind).toBe(0)
    }
    const plain = { ...touched(eva), name: sql`'New name'`, kind: sql`'BROKER'` }
    expect(await tried(eva, update(banked, plain))).toBe(1)
    expect(await tried(eva, update(banked, { ...touched(eva), state: sql`'SUSPENDED'` }))).toBe(1)
  })

  test('partner_change_approved: no bank account without a change that another approved here and now', async () => {
    const set = PROPOSED_ACCOUNT(banked.id)
    const wrong: Readonly<Record<string, readonly Statement[]>> = {
      'no change': [update(banked, { ...touched(ana), bank_account: account })],
      'pending still': [update(banked, set)],
      'of another partner': [approve(other), update(banked, PROPOSED_ACCOUNT(other.id))],
      'reused for another partner': [
        approve(banked),
        update(banked, set),
        update(other, PROPOSED_ACCOUNT(banked.id)),
      ],
      'carried out twice': [
        approve(banked),
        update(banked, set),
        update(banked, { ...set, bank_account: account }),
      ],
      'approved in an earlier transaction': [
        update(approved, { ...carriesOut(approved.id), bank_account: account }),
      ],
      'named although nothing was decided': [update(banked, carriesOut(other.id))],
    }
    for (const [name, statements] of Object.entries(wrong))
      expectRefusedBy(await tried(ana, ...statements), 'partner_change_approved', name)
  })

  test('partner_made_as_approved: a change does what was approved, nothing else', async () => {
    const wrong: readonly (readonly [string, ChangeStory, Assignments])[] = [
      ['another account', banked, { ...PROPOSED_ACCOUNT(banked.id), bank_account: account }],
      ['no account', banked, carriesOut(banked.id)],
      ['suspended too', banked, { ...PROPOSED_ACCOUNT(banked.id), state: sql`'SUSPENDED'` }],
      ['not resumed', resume, carriesOut(resume.id)],
      ['resumed with an account', resume, { ...RESUMED(resume.id), bank_account: account }],
    ]
    for (const [name, story, set] of wrong) {
      const outcome = await tried(ana, approve(story), update(story, set))
      expectRefusedBy(outcome, 'partner_made_as_approved', name)
    }
  })

  test('partner_moves: nobody resumes a partner alone', async () => {
    const outcome = await tried(eva, update(resume, { ...touched(eva), state: sql`'ACTIVE'` }))
    expectRefusedBy(outcome, 'partner_moves')
  })

  test('identity, version and actor are kept with every change', async () => {
    const wrong: Readonly<Record<string, Assignments>> = {
      id: { id: sql`'ptn_x'` },
      code: { code: sql`'OTHER'` },
      created_at: { created_at: sql`now() - interval '1 day'` },
      created_by: { created_by: jsonb(refOf(eva)) },
    }
    for (const [name, set] of Object.entries(wrong)) {
      const outcome = await tried(eva, update(banked, { ...touched(eva), ...set }))
      expectRefusedBy(outcome, 'partner_identity', name)
    }
    for (const version of [sql`version`, sql`version + 2`]) {
      const outcome = await tried(eva, update(banked, { ...touched(eva), version }))
      expectRefusedBy(outcome, 'partner_version_steps')
    }
    for (const actor of [ana, undefined]) {
      const outcome = await tried(actor, update(banked, { ...touched(eva), name: sql`'X'` }))
      expectRefusedBy(outcome, 'partner_actor_recorded')
    }
  })

  test('a new partner begins active, without a bank account, and says who created it', async () => {
    const anew = (replaced: Assignments): Statement =>
      copyIn('partner', banked.itemId, {
        ...{ id: sql`'ptn_new'::text`, code: sql`'NEW'::text` },
        ...replaced,
      })
    expect(await tried(clem, anew({}))).toBe(1)
    for (const [constraint, replaced] of [
      ['partner_begins', { state: sql`'SUSPENDED'::text` }],
      ['partner_begins', { version: sql`2` }],
      ['partner_begins_without_account', { bank_account: account }],
      ['partner_begins_without_account', { change_id: sql`${banked.id}::text` }],
      ['partner_creator_recorded', { created_by: jsonb(refOf(eva)) }],
      ['partner_creator_recorded', { updated_by: jsonb(refOf(eva)) }],
      ['partner_kind', { kind: sql`'FRIEND'::text` }],
      ['partner_code_unique', { code: sql`(select code from partner where id = ${other.itemId})` }],
    ] as const) {
      expectRefusedBy(await tried(clem, anew(replaced)), constraint, Object.keys(replaced).join())
    }
    expectRefusedBy(await tried(eva, anew({})), 'partner_creator_recorded')
    for (const statement of [sql`delete from partner`, sql`truncate partner cascade`])
      expect(await tried(ana, statement)).toMatchObject({ sqlState: '42501' })
  })

  test('a partner’s staff change nothing of it, and see no other (rule 16)', async () => {
    const plain = update(banked, { ...touched(eva), name: sql`'X'` })
    const own = await triedInOrder(host.store, eva, [plain], { partnerId: banked.itemId })
    expect(own).toMatchObject({ sqlState: '42501' })
    expect(await triedInOrder(host.store, eva, [plain], { partnerId: other.itemId })).toBe(0)
  })
})
