import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Assignments,
  edits,
  expectRefusedBy,
  insertOf,
  RIGHTS,
  tried,
  updateOf,
} from '../../test/contract-changes.ts'
import { contractIn, dbNow, developer, keysOf, refOf } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { SqlFault } from '../storage/failures.ts'
import { type Statement, sql } from '../storage/sql.ts'
import { CONTRACT_STATES } from './states.ts'

const [paul, eva] = [developer('paul'), developer('eva')]
const jsonb = (value: unknown) => sql`${value}::jsonb`
const keys = (...values: (string | null)[]) => sql`${values}::text[]`
const INSUFFICIENT_PRIVILEGE = '42501'
const RESTRICT_VIOLATION = '23001'
const NOT_NULL_VIOLATION = '23502'

const preparedBy = (actor: typeof paul): Statement =>
  sql`jsonb_build_array(${refOf(actor)}::jsonb || jsonb_build_object('at', ${dbNow}))`

/** A row as the store writes it: a draft of paul. */
function draftRow(partyId: string): Assignments {
  return {
    id: sql`'ctr_new'`,
    number: sql`'2026-999999'`,
    type: sql`'LOAN'`,
    state: sql`'DRAFT'`,
    party_id: sql`${partyId}`,
    party_version: sql`1`,
    terms: jsonb({ financedAmount: { amount: '5.00' }, firstDueDate: '2027-01-31' }),
    plan: jsonb({}),
    financed_amount: sql`5`,
    first_due_date: sql`date '2027-01-31'`,
    content_hash: sql`repeat('0', 64)`,
    preparers: keys(...keysOf(paul)),
    prepared_by: preparedBy(paul),
    created_by: jsonb(refOf(paul)),
    updated_by: jsonb(refOf(paul)),
  }
}

const SUBMITTED: Assignments = {
  state: sql`'PENDING_APPROVAL'`,
  submitted_by: jsonb(refOf(paul)),
  submitted_at: sql`clock_timestamp()`,
}

const ACTIVATED: Assignments = {
  ...SUBMITTED,
  state: sql`'ACTIVE'`,
  decider: keys('sub:x', 'name:x'),
  activator: keys('sub:x', 'name:x'),
  activated_by: jsonb(refOf(eva)),
  activated_at: sql`clock_timestamp()`,
  activation_date: sql`date '2027-01-01'`,
}

const BIRTHS: Readonly<Record<string, readonly (readonly [string, Assignments])[]>> = {
  contract_begins_undecided: [
    ...CONTRACT_STATES.filter((state) => !['DRAFT', 'PENDING_APPROVAL'].includes(state)).map(
      (state) => [state, { state: sql`${state}` }] as const,
    ),
    ['as a later version', { version: sql`2` }],
    ['with a decider', { decider: keys(...keysOf(eva)) }],
    ['with a decision', { decisions: jsonb([{ decision: 'APPROVED' }]) }],
    ['with something else than decisions', { decisions: jsonb({}) }],
    ['with a change that made it', { change_id: sql`'chg_1'` }],
    ['with a day on which it ended', { effective_date: sql`date '2027-01-31'` }],
  ],
  contract_creator_prepares: [
    ['without preparers', { preparers: keys() }],
    ['prepared by another', { preparers: keys(...keysOf(eva)) }],
    ['prepared by a subject without a name', { preparers: keys('sub:dev:paul') }],
    ['prepared by a name alone', { preparers: keys('name:paul') }],
    ['prepared by null', { preparers: keys(null) }],
    ['created by another', { created_by: jsonb(refOf(eva)) }],
    ['updated by another', { updated_by: jsonb(refOf(eva)) }],
    ['prepared by another, as answers show it', { prepared_by: preparedBy(eva) }],
    ['prepared by two', { prepared_by: sql`${preparedBy(paul)} || ${preparedBy(eva)}` }],
    ['prepared by nobody', { prepared_by: jsonb([]) }],
  ],
  contract_submission: [
    ['a draft that is submitted', { ...SUBMITTED, state: sql`'DRAFT'` }],
    ['submitted by another', { ...SUBMITTED, submitted_by: jsonb(refOf(eva)) }],
    ['submitted by nobody', { ...SUBMITTED, submitted_by: sql`null` }],
    ['submitted long ago', { ...SUBMITTED, submitted_at: sql`now() - interval '1 day'` }],
  ],
  contract_preparers: [['with a key that is null', { preparers: keys(...keysOf(paul), null) }]],
  contract_number_form: [['numbered by a word', { number: sql`'chief'` }]],
  contract_type: [['of no type', { type: sql`'GIFT'` }]],
  contract_hashed: [['hashed by a word', { content_hash: sql`'abc'` }]],
  contract_terms_told: [
    ['sorted by another amount', { financed_amount: sql`6` }],
    ['sorted by another day', { first_due_date: sql`date '2027-02-01'` }],
  ],
}

/** What only the constraints hold: with the triggers away nothing else can refuse. */
const WITHOUT_TRIGGERS: Readonly<Record<string, readonly Assignments[]>> = {
  contract_preparers: [{ preparers: keys() }, { preparers: keys(null) }],
  contract_decided: ['APPROVED', 'REJECTED'].flatMap((state) => [
    { ...SUBMITTED, state: sql`${state}` },
    { ...SUBMITTED, state: sql`${state}`, decider: keys() },
  ]),
  contract_activated: [
    { ...SUBMITTED, state: sql`'ACTIVE'`, decider: keys('sub:x', 'name:x') },
    { activator: keys('sub:x', 'name:x') },
    { ...ACTIVATED, activation_date: sql`null` },
  ],
  contract_activator_four_eyes: [
    { ...ACTIVATED, activator: keys('sub:x', 'name:paul') },
    { ...ACTIVATED, activator: keys('sub:x', null) },
    { ...ACTIVATED, activator: keys() },
  ],
  contract_four_eyes: [
    { ...SUBMITTED, state: sql`'APPROVED'`, decider: keys('sub:x', 'name:paul') },
    { ...SUBMITTED, state: sql`'APPROVED'`, decider: keys('sub:x', null) },
  ],
  contract_submitted: [
    { submitted_by: jsonb(refOf(paul)) },
    { state: sql`'PENDING_APPROVAL'` },
    { submitted_at: sql`now()` },
  ],
  contract_preparations: [{ prepared_by: jsonb([]) }, { prepared_by: jsonb({}) }],
  contract_state: [{ ...SUBMITTED, state: sql`'CANCELLED'`, decider: keys('sub:x', 'name:x') }],
  contract_amount_positive: [
    {
      financed_amount: sql`0`,
      terms: jsonb({ financedAmount: { amount: '0' }, firstDueDate: '2027-01-31' }),
    },
  ],
}

describe.each(STORE_KINDS)('rows of contracts on %s (rule 14)', (store) => {
  let host: Host
  let row: Assignments
  let draft: string
  beforeAll(async () => {
    host = await startHost({ store })
    const partyId = await createParty(host.as('paul', ...PREPARING))
    row = draftRow(partyId)
    draft = await contractIn(host, 'DRAFT', { partyId })
  })
  afterAll(() => host.close())

  describe.each(RIGHTS)('with the rights of the %s', (rights) => {
    const inserted = (values: Assignments, actor?: typeof paul) =>
      tried(host.store, rights, { actor, statement: insertOf(values) })

    test('a draft and a submission of the acting one are accepted', async () => {
      expect(await inserted(row, paul)).toBe(1)
      expect(await inserted({ ...row, ...SUBMITTED }, paul)).toBe(1)
    })

    test.each(Object.keys(BIRTHS))('%s holds for new rows', async (constraint) => {
      for (const [name, wrong] of BIRTHS[constraint] ?? []) {
        expectRefusedBy(await inserted({ ...row, ...wrong }, paul), constraint, name)
      }
    })

    test('nobody creates without an acting subject, or for another', async () => {
      expectRefusedBy(await inserted(row), 'contract_creator_prepares')
      expectRefusedBy(await inserted(row, eva), 'contract_creator_prepares')
    })

    test('a number is given once', async () => {
      const number = sql`(select number from contract where id = ${draft})`
      expectRefusedBy(await inserted({ ...row, number }, paul), 'contract_number_unique')
    })

    test('preparers are never null, and no member of a decision list is needed for that', async () => {
      for (const wrong of [{ preparers: sql`null` }, { prepared_by: sql`null` }]) {
        const statement = updateOf(draft, { ...edits(paul), ...wrong })
        const outcome = await tried(host.store, rights, { actor: paul, statement })
        expect(outcome).toBeInstanceOf(SqlFault)
        expect(['23502', '23514']).toContain((outcome as SqlFault).sqlState)
      }
      const outcome = await inserted({ ...row, preparers: sql`null` }, paul)
      expect(['23502', '23514']).toContain((outcome as SqlFault).sqlState)
    })

    test('nothing is deleted: neither rows nor the whole table', async () => {
      const state = rights === 'owner' ? RESTRICT_VIOLATION : INSUFFICIENT_PRIVILEGE
      for (const statement of [
        sql`delete from contract where id = ${draft}`,
        sql`truncate contract cascade`,
        sql`delete from party`,
        sql`truncate party cascade`,
        sql`truncate partner cascade`,
        sql`delete from audit_entry`,
        sql`truncate audit_entry cascade`,
        sql`truncate audit_personal_value`,
        sql`delete from event`,
        sql`truncate event`,
      ]) {
        const outcome = await tried(host.store, rights, { actor: paul, statement })
        // Where no policy lets the owner delete, no row is there to be deleted.
        if (outcome === 0 && rights === 'owner') continue
        expect(outcome, statement.text).toMatchObject({ sqlState: state })
      }
    })
  })

  test.each(Object.keys(WITHOUT_TRIGGERS))(
    '%s holds by itself, with the triggers away',
    async (constraint) => {
      const first = 'alter table contract disable trigger user'
      for (const wrong of WITHOUT_TRIGGERS[constraint] ?? []) {
        const statement = insertOf({ ...row, ...wrong })
        const outcome = await tried(host.store, 'owner', { actor: paul, first, statement })
        expectRefusedBy(outcome, constraint, Object.keys(wrong).join())
      }
    },
  )

  test('a row without preparers cannot be stored even with the triggers away', async () => {
    const first = 'alter table contract disable trigger user'
    const statement = insertOf({ ...row, preparers: sql`null` })
    const outcome = await tried(host.store, 'owner', { actor: paul, first, statement })
    expect(outcome).toMatchObject({ sqlState: NOT_NULL_VIOLATION })
  })

  test('the application can neither lift the lock nor change what the lock reads', async () => {
    for (const statement of [
      sql`alter table contract disable trigger user`,
      sql`alter table contract no force row level security`,
      sql`set session_replication_role = replica`,
      sql`drop trigger contract_changes on contract`,
      sql`insert into contract_move values ('PENDING_APPROVAL', 'ACTIVE', false)`,
      sql`update contract_move set decided = false`,
      sql`delete from contract_move`,
      sql`create or replace function guard_contract() returns trigger language plpgsql as 'begin return new; end'`,
      sql`create table contract_move (x integer)`,
      sql`select setval('contract_number', 1)`,
      sql`update deployment set value = 'developer'`,
      sql`delete from schema_migration`,
    ]) {
      const outcome = await tried(host.store, 'application', { actor: paul, statement })
      expect(outcome, statement.text).toMatchObject({ sqlState: INSUFFICIENT_PRIVILEGE })
    }
  })
})
