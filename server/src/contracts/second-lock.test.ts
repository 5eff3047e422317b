import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Assignments,
  activates,
  approves,
  decides,
  edits,
  expectRefusedBy,
  forgedDecision,
  RIGHTS,
  reopens,
  submits,
  tried,
  updateOf,
  withdraws,
} from '../../test/contract-changes.ts'
import {
  type Actor,
  contractIn,
  developer,
  keysOf,
  refOf,
  SITUATIONS,
  type Situation,
} from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import { CONTRACT_STATES, MOVES } from './states.ts'

const [paul, ana, eva] = [developer('paul'), developer('ana'), developer('eva')]
const namesake: Actor = { subject: 'https://id.example.org#7', username: 'PAUL' }
const jsonb = (value: unknown) => sql`${value}::jsonb`
const keys = (...values: (string | null)[]) => sql`${values}::text[]`

interface Attempt {
  readonly name: string
  readonly on: Situation
  readonly by: Actor
  /** What would be accepted, and what is wrong with it. */
  readonly legal: Assignments
  readonly wrong: Assignments
}

const attempt = (
  name: string,
  on: Situation,
  by: Actor,
  legal: (actor: Actor) => Assignments,
  wrong: Assignments,
): Attempt => ({ name, on, by, legal: legal(by), wrong })

/** Each change that would be accepted: an attempt below fails by what is wrong with it, by nothing else. */
const LEGAL: readonly (readonly [string, Situation, Actor, Assignments])[] = [
  ['an edit by the preparer', 'DRAFT', paul, edits(paul)],
  ['an edit by someone else', 'RETURNED', eva, edits(eva)],
  ['a submission', 'DRAFT', paul, submits(paul)],
  ['an approval', 'PENDING_APPROVAL', ana, approves(ana)],
  ['an approval by Ζωή', 'PENDING_APPROVAL', developer('Ζωή'), approves(developer('Ζωή'))],
  ['a rejection', 'PENDING_APPROVAL', ana, decides(ana, 'REJECTED', 'REJECTED')],
  ['a return', 'PENDING_APPROVAL', ana, decides(ana, 'DRAFT', 'RETURNED')],
  ['a withdrawal', 'APPROVED', paul, withdraws(paul)],
  ['a reopening', 'APPROVED', eva, reopens(eva)],
  ['an activation', 'APPROVED', eva, activates(eva)],
]

const CONTENT: Readonly<Record<string, Assignments>> = {
  type: { type: sql`'HIRE_PURCHASE'` },
  external_ref: { external_ref: sql`'X'` },
  party_version: { party_version: sql`party_version + 1` },
  asset: { asset: jsonb({ category: 'X' }) },
  terms: { terms: sql`terms || '{"nominalRate":"9"}'` },
  plan: { plan: sql`plan || '{"effectiveRate":"9"}'` },
  commission: { commission: jsonb({ amount: '1.00', currency: 'EUR' }) },
  internal_note: { internal_note: sql`'X'` },
  financed_amount: { financed_amount: sql`1` },
  first_due_date: { first_due_date: sql`'2030-01-01'` },
  serial_folded: { serial_folded: sql`'x'` },
  ref_folded: { ref_folded: sql`'x'` },
  content_hash: { content_hash: sql`repeat('b', 64)` },
}

const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  contract_identity: [
    attempt('another id', 'DRAFT', paul, edits, { id: sql`'ctr_x'` }),
    attempt('another number', 'DRAFT', paul, edits, { number: sql`'2020-000001'` }),
    attempt('another birth', 'DRAFT', paul, edits, { created_at: sql`now() - interval '1 day'` }),
    attempt('another creator', 'PENDING_APPROVAL', ana, approves, {
      created_by: jsonb(refOf(eva)),
    }),
  ],
  contract_version_steps: [
    attempt('the same version', 'DRAFT', paul, edits, { version: sql`version` }),
    attempt('two versions', 'PENDING_APPROVAL', ana, approves, { version: sql`version + 2` }),
    attempt('an earlier version', 'APPROVED', paul, withdraws, { version: sql`version - 1` }),
  ],
  contract_actor_recorded: [
    attempt('in the name of another', 'DRAFT', paul, edits, { updated_by: jsonb(refOf(eva)) }),
    attempt('a withdrawal by another', 'DRAFT', eva, withdraws, { updated_by: jsonb(refOf(paul)) }),
    attempt('by nobody', 'PENDING_APPROVAL', ana, approves, { updated_by: jsonb({}) }),
  ],
  contract_preparers_grow: [
    attempt('emptied', 'DRAFT', eva, edits, { preparers: keys(...keysOf(eva)) }),
    attempt('one key less', 'DRAFT', paul, submits, { preparers: keys('sub:dev:paul') }),
    attempt('emptied when decided', 'PENDING_APPROVAL', ana, approves, { preparers: keys() }),
    attempt('nobody named', 'DRAFT', paul, edits, { prepared_by: jsonb([]) }),
    attempt('another named', 'PENDING_APPROVAL', ana, approves, {
      prepared_by: jsonb([refOf(eva)]),
    }),
  ],
  contract_preparers_kept: [
    attempt('more at a decision', 'PENDING_APPROVAL', ana, approves, {
      preparers: sql`preparers || ${keysOf(eva)}::text[]`,
    }),
    attempt('more named at a decision', 'PENDING_APPROVAL', ana, approves, {
      prepared_by: sql`prepared_by || ${[refOf(eva)]}::jsonb`,
    }),
    attempt('more at a withdrawal', 'APPROVED', paul, withdraws, {
      preparers: sql`preparers || ${['name:x']}::text[]`,
    }),
  ],
  contract_decisions_grow: [
    attempt('taken away', 'RETURNED', paul, edits, { decisions: jsonb([]) }),
    attempt('rewritten', 'RETURNED', paul, submits, {
      decisions: sql`jsonb_set(decisions, '{0,comment}', '"Fine."')`,
    }),
    attempt('taken away with the approval', 'APPROVED', paul, withdraws, { decisions: jsonb([]) }),
  ],
  contract_decider_recorded: [
    attempt('decided by nobody', 'PENDING_APPROVAL', ana, approves, { decider: sql`null` }),
    attempt('decided by no key', 'PENDING_APPROVAL', ana, approves, { decider: keys() }),
    attempt('decided by another', 'PENDING_APPROVAL', ana, approves, {
      decider: keys(...keysOf(eva)),
    }),
    attempt('decided without a name', 'PENDING_APPROVAL', ana, approves, {
      decider: keys('sub:dev:ana'),
    }),
    attempt('decided by an empty name', 'PENDING_APPROVAL', ana, approves, {
      decider: keys('sub:dev:ana', 'name:'),
    }),
    attempt('no decision', 'PENDING_APPROVAL', ana, approves, { decisions: sql`decisions` }),
    attempt('two decisions', 'PENDING_APPROVAL', ana, approves, { decisions: jsonb([{}, {}]) }),
    attempt('an edit that decides', 'DRAFT', paul, edits, { decisions: jsonb([{}]) }),
    attempt('a submission that decides', 'DRAFT', paul, submits, { decisions: jsonb([{}]) }),
    attempt('a withdrawal that decides', 'DRAFT', paul, withdraws, { decisions: jsonb([{}]) }),
  ],
  contract_decision_true: [
    ...(
      [
        ['by someone else', { by: refOf(eva) }],
        ['by nobody', { by: {} }],
        ['of another version', { version: 7 }],
        ['of a version in words', { version: '1' }],
        ['of other content', { contentHash: 'a'.repeat(64) }],
        ['with another word', { decision: 'REJECTED' }],
        ['long ago', { at: '2020-01-01T00:00:00.000Z' }],
        ['in the future', { at: '2199-01-01T00:00:00.000Z' }],
        ['at no time', { at: null }],
      ] as const
    ).map(([name, members]) =>
      attempt(name, 'PENDING_APPROVAL', ana, approves, { decisions: forgedDecision(ana, members) }),
    ),
    attempt('a rejection told as approval', 'PENDING_APPROVAL', ana, approves, {
      state: sql`'REJECTED'`,
    }),
  ],
  contract_four_eyes: [
    attempt('by the preparer', 'PENDING_APPROVAL', paul, approves, {}),
    attempt('by the name of the preparer', 'PENDING_APPROVAL', ana, approves, {
      decider: keys('sub:dev:ana', 'name:ana', 'name:paul'),
    }),
    attempt('by another of that name', 'PENDING_APPROVAL', namesake, approves, {}),
    attempt('by an unknown key too', 'PENDING_APPROVAL', ana, approves, {
      decider: keys('sub:dev:ana', 'name:ana', null),
    }),
  ],
  contract_editor_prepares: [
    attempt('an edit without trace', 'DRAFT', eva, edits, { preparers: sql`preparers` }),
    attempt('an edit without a name', 'DRAFT', eva, edits, {
      preparers: sql`preparers || ${['sub:dev:eva']}::text[]`,
    }),
    attempt('an edit by name alone', 'DRAFT', eva, edits, {
      preparers: sql`preparers || ${['name:eva']}::text[]`,
    }),
    attempt('an edit under a false name', 'DRAFT', eva, edits, {
      updated_by: jsonb({ ...refOf(eva), username: 'Evelyn' }),
    }),
    attempt('an edit told of by key alone', 'DRAFT', eva, edits, { prepared_by: sql`prepared_by` }),
    attempt('a submission without trace', 'DRAFT', eva, submits, { preparers: sql`preparers` }),
  ],
  contract_decider_kept: [
    attempt('an edit that keeps the returner', 'RETURNED', paul, edits, { decider: sql`decider` }),
    attempt('a submission that names one', 'DRAFT', paul, submits, {
      decider: keys(...keysOf(ana)),
    }),
    attempt('a withdrawal that names one', 'DRAFT', paul, withdraws, {
      decider: keys(...keysOf(ana)),
    }),
    attempt('a withdrawal that forgets', 'APPROVED', paul, withdraws, { decider: sql`null` }),
    attempt('a reopening by another', 'APPROVED', eva, reopens, { decider: keys(...keysOf(eva)) }),
  ],
  contract_submission: [
    attempt('by nobody', 'DRAFT', paul, submits, { submitted_by: sql`null` }),
    attempt('by another', 'DRAFT', paul, submits, { submitted_by: jsonb(refOf(eva)) }),
    attempt('long ago', 'DRAFT', paul, submits, { submitted_at: sql`now() - interval '1 day'` }),
    attempt('at no time', 'DRAFT', paul, submits, { submitted_at: sql`null` }),
    attempt('in an edit', 'DRAFT', paul, edits, {
      submitted_by: jsonb(refOf(paul)),
      submitted_at: sql`now()`,
    }),
    attempt('in an approval', 'PENDING_APPROVAL', ana, approves, {
      submitted_by: jsonb(refOf(eva)),
    }),
    attempt('in a withdrawal', 'PENDING_APPROVAL', paul, withdraws, { submitted_at: sql`now()` }),
    attempt('undone', 'APPROVED', paul, withdraws, {
      submitted_by: sql`null`,
      submitted_at: sql`null`,
    }),
  ],
  contract_activator_recorded: [
    attempt('by nobody', 'APPROVED', eva, activates, { activator: sql`null` }),
    attempt('by another', 'APPROVED', eva, activates, { activator: keys(...keysOf(ana)) }),
    attempt('without a name', 'APPROVED', eva, activates, { activator: keys('sub:dev:eva') }),
    attempt('told as another', 'APPROVED', eva, activates, { activated_by: jsonb(refOf(ana)) }),
    attempt('long ago', 'APPROVED', eva, activates, {
      activated_at: sql`now() - interval '1 day'`,
    }),
    attempt('in a withdrawal', 'APPROVED', paul, withdraws, {
      activation_date: sql`date '2027-01-01'`,
    }),
  ],
  contract_activator_four_eyes: [
    attempt('by the preparer', 'APPROVED', paul, activates, {}),
    attempt('by the name of the preparer', 'APPROVED', eva, activates, {
      activator: keys('sub:dev:eva', 'name:eva', 'name:paul'),
    }),
    attempt('by another of that name', 'APPROVED', namesake, activates, {}),
  ],
  contract_change_approved: [
    attempt('settled by oneself', 'ACTIVE', paul, withdraws, { state: sql`'SETTLED'` }),
    attempt('terminated by a change that is none', 'ACTIVE', ana, withdraws, {
      state: sql`'TERMINATED'`,
      change_id: sql`'chg_none'`,
    }),
    attempt('an effect told in a withdrawal', 'APPROVED', paul, withdraws, {
      effective_date: sql`date '2027-01-01'`,
    }),
    attempt('settled by the change of another contract', 'ACTIVE', ana, withdraws, {
      state: sql`'SETTLED'`,
      change_id: sql`(select id from change limit 1)`,
    }),
  ],
  contract_hash_follows: [
    attempt('content alone', 'DRAFT', paul, edits, { content_hash: sql`content_hash` }),
  ],
  contract_frozen: [
    ...Object.entries(CONTENT).flatMap(([column, wrong]) => [
      attempt(`${column} at a submission`, 'DRAFT', paul, submits, wrong),
      attempt(`${column} at an approval`, 'PENDING_APPROVAL', ana, approves, wrong),
      attempt(`${column} at a withdrawal`, 'APPROVED', paul, withdraws, wrong),
      attempt(`${column} at a reopening`, 'APPROVED', paul, reopens, wrong),
    ]),
    ...CONTRACT_STATES.filter((state) => state !== 'DRAFT').flatMap((state) => [
      attempt(`an edit of ${state}`, state, paul, edits, {}),
      attempt(`nothing but a version of ${state}`, state, paul, withdraws, { state: sql`state` }),
    ]),
  ],
}

const LEGAL_MOVES = new Set<string>(
  Object.values(MOVES).flatMap(({ from, to }) => from.map((state) => `${state} ${to}`)),
)

describe.each(STORE_KINDS)('the second lock on %s (rule 14)', (store) => {
  let host: Host
  const ids = new Map<Situation, string>()
  beforeAll(async () => {
    host = await startHost({ store })
    const partyId = await createParty(host.as('paul', ...PREPARING))
    for (const on of SITUATIONS) ids.set(on, await contractIn(host, on, { partyId }))
  })
  afterAll(() => host.close())

  const idOf = (situation: Situation): string => ids.get(situation) as string

  describe.each(RIGHTS)('with the rights of the %s', (rights) => {
    test.each(LEGAL)('%s is accepted', async (_, on, actor, assignments) => {
      const statement = updateOf(idOf(on), assignments)
      expect(await tried(host.store, rights, { actor, statement })).toBe(1)
    })

    test.each(Object.keys(ATTEMPTS))('%s holds', async (constraint) => {
      for (const { name, on, by: actor, legal, wrong } of ATTEMPTS[constraint] ?? []) {
        const statement = updateOf(idOf(on), { ...legal, ...wrong })
        expectRefusedBy(await tried(host.store, rights, { actor, statement }), constraint, name)
      }
    })

    test('no change at all without an acting subject', async () => {
      for (const [name, on, , assignments] of LEGAL) {
        const statement = updateOf(idOf(on), assignments)
        const outcome = await tried(host.store, rights, { statement })
        expectRefusedBy(outcome, 'contract_actor_recorded', name)
      }
    })

    test('states move only along the table', async () => {
      for (const from of CONTRACT_STATES) {
        for (const to of CONTRACT_STATES) {
          if (from === to || LEGAL_MOVES.has(`${from} ${to}`)) continue
          for (const legal of [decides(eva, to), { ...withdraws(eva), state: sql`${to}` }]) {
            const statement = updateOf(idOf(from), legal)
            const outcome = await tried(host.store, rights, { actor: eva, statement })
            expectRefusedBy(outcome, 'contract_moves', `${from} ${to}`)
          }
        }
      }
    })
  })
})
