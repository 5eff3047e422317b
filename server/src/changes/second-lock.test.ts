import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AT_THE_END,
  copyIn,
  decidesChange,
  jsonb,
  keys,
  touched,
  triedInOrder,
  updateIn,
  withdrawsChange,
} from '../../test/change-rows.ts'
import { type ChangeSituation, type ChangeStory, changeIn } from '../../test/change-stories.ts'
import {
  type Assignments,
  expectRefusedBy,
  forgedDecision,
  tried as triedAsOwner,
} from '../../test/contract-changes.ts'
import { type Actor, developer, keysOf, partnerNamed, refOf } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { type Statement, sql } from '../storage/sql.ts'

const [paul, ana, eva] = [developer('paul'), developer('ana'), developer('eva')]
const namesake: Actor = { subject: 'https://id.example.org#7', username: 'PAUL' }

interface Attempt {
  readonly name: string
  readonly by: Actor
  readonly on: ChangeSituation
  readonly set: Assignments
}

const approving = (name: string, wrong: Assignments, by = ana): Attempt => ({
  ...{ name, by, on: 'PENDING', set: { ...decidesChange(by), ...wrong } },
})
const withdrawing = (name: string, wrong: Assignments): Attempt => ({
  ...{ name, by: paul, on: 'PENDING', set: { ...withdrawsChange(paul), ...wrong } },
})
const later = (name: string, on: ChangeSituation, set: Assignments): Attempt => ({
  ...{ name, by: eva, on, set },
})

const FROZEN: Assignments = {
  kind: sql`'UNBLOCK'`,
  base_version: sql`base_version + 1`,
  reason: sql`'Another.'`,
  proposal: sql`proposal || '{"bankAccount": null}'`,
  diff: jsonb([]),
  content_hash: sql`repeat('b', 64)`,
  partner_id: sql`(select id from partner limit 1)`,
  preparers: sql`preparers || ${['name:x']}::text[]`,
  prepared_by: sql`prepared_by || ${[refOf(eva)]}::jsonb`,
  created_by: jsonb(refOf(eva)),
  created_at: sql`now() - interval '1 day'`,
  item_id: sql`'pty_other'`,
}

/** Each refused by the constraint under whose name it stands. */
const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  change_frozen: [
    ...Object.entries(FROZEN).flatMap(([column, value]) => [
      approving(`${column} at an approval`, { [column]: value }),
      withdrawing(`${column} at a withdrawal`, { [column]: value }),
      later(`${column} after the approval`, 'APPROVED', { [column]: value }),
    ]),
    later('forgotten while its party is not erased', 'REJECTED', {
      ...{ proposal: jsonb({}), diff: jsonb([]) },
    }),
  ],
  change_moves: [
    later('approved a second time', 'APPROVED', decidesChange(eva)),
    later('approved after a rejection', 'REJECTED', decidesChange(eva)),
    later('approved after a withdrawal', 'WITHDRAWN', {
      ...decidesChange(eva),
      withdrawal_reason: sql`null`,
    }),
    later('withdrawn after the approval', 'APPROVED', withdrawsChange(eva)),
    later('pending again', 'REJECTED', {
      ...touched(eva),
      state: sql`'PENDING'`,
      decider: sql`null`,
    }),
    approving('without a new version', { version: sql`version` }),
    approving('two versions at once', { version: sql`version + 2` }),
    withdrawing('nothing but touched', { state: sql`'PENDING'`, withdrawal_reason: sql`null` }),
  ],
  change_actor_recorded: [
    approving('in the name of another', { updated_by: jsonb(refOf(eva)) }),
    withdrawing('by nobody', { updated_by: jsonb({}) }),
  ],
  change_decider_recorded: [
    approving('decided by nobody', { decider: sql`null` }),
    approving('decided by no key', { decider: keys() }),
    approving('decided by another', { decider: keys(...keysOf(eva)) }),
    approving('decided without a name', { decider: keys('sub:dev:ana') }),
    approving('no decision', { decisions: sql`decisions` }),
    approving('two decisions', { decisions: jsonb([{}, {}]) }),
    withdrawing('a withdrawal that decides', { decisions: jsonb([{}]) }),
    withdrawing('a withdrawal with a decider', { decider: keys(...keysOf(ana)) }),
    withdrawing('a withdrawal that can be carried out', { decided_xid: sql`pg_current_xact_id()` }),
  ],
  change_decision_true: [
    ...(
      [
        ['by someone else', { by: refOf(eva) }],
        ['by nobody', { by: {} }],
        ['of another version', { version: 7 }],
        ['of other content', { contentHash: 'a'.repeat(64) }],
        ['with another word', { decision: 'REJECTED' }],
        ['long ago', { at: '2020-01-01T00:00:00.000Z' }],
        ['in the future', { at: '2199-01-01T00:00:00.000Z' }],
        ['at no time', { at: null }],
      ] as const
    ).map(([name, members]) => approving(name, { decisions: forgedDecision(ana, members) })),
    approving('a rejection told as approval', { state: sql`'REJECTED'` }),
  ],
  change_four_eyes: [
    approving('by the proposer', {}, paul),
    approving('by another of that name', {}, namesake),
    approving('by the name of the proposer', {
      decider: keys('sub:dev:ana', 'name:ana', 'name:paul'),
    }),
    approving('by an unknown key too', { decider: keys('sub:dev:ana', 'name:ana', null) }),
    {
      ...approving('rejected by the proposer', {}),
      by: paul,
      set: decidesChange(paul, 'REJECTED'),
    },
  ],
  change_item_unmoved: [
    { name: 'approved although the item moved', by: ana, on: 'MOVED', set: decidesChange(ana) },
  ],
  change_withdrawal_told: [
    withdrawing('without a reason', { withdrawal_reason: sql`null` }),
    withdrawing('with a blank one', { withdrawal_reason: sql`' '` }),
    approving('a reason without a withdrawal', { withdrawal_reason: sql`'x'` }),
  ],
  change_state: [
    withdrawing('a state that does not exist', {
      state: sql`'DONE'`,
      withdrawal_reason: sql`null`,
    }),
  ],
}

/** New changes that are refused; each is a copy of one that was accepted. */
const NEW: Readonly<Record<string, Assignments | readonly Assignments[]>> = {
  change_begins_undecided: [
    { state: sql`'APPROVED'::text` },
    { version: sql`2` },
    { decider: keys(...keysOf(ana)) },
    { decisions: jsonb([{}]) },
    { decided_xid: sql`'7'::text` },
  ],
  change_proposer_prepares: [
    { preparers: keys('sub:dev:eva', 'name:eva') },
    { preparers: keys('sub:dev:paul') },
    { preparers: keys('name:paul') },
    { preparers: keys() },
    { created_by: jsonb(refOf(eva)) },
    { updated_by: jsonb(refOf(eva)) },
    { prepared_by: jsonb([refOf(eva)]) },
    { prepared_by: jsonb([]) },
  ],
  change_item_seen: [
    { item_id: sql`'pty_unknown'::text` },
    { base_version: sql`2` },
    { base_version: sql`0` },
    { party_id: jsonb(null) },
    { partner_id: sql`(select id from partner limit 1)` },
  ],
  change_kind_of_item: [
    ...['AMENDMENT', 'SETTLEMENT', 'TERMINATION', 'PARTNER', 'RESUME', 'ANY'].map((kind) => ({
      kind: sql`${kind}::text`,
    })),
  ],
  change_reason: { reason: sql`' '::text` },
  change_one_open: {},
}

/** What the table alone refuses. */
const CHECKS: Readonly<Record<string, readonly Assignments[]>> = {
  change_kind: [{ kind: sql`'ANY'` }],
  change_item: [{ item_kind: sql`'report'` }],
  change_kind_of_item: [{ item_kind: sql`'partner'` }, { kind: sql`'RESUME'` }],
  change_state: [{ state: sql`'DONE'` }],
  change_reason: [{ reason: sql`''` }],
  change_preparers: [{ preparers: keys() }, { preparers: keys('sub:dev:paul', null) }],
  change_preparations: [{ prepared_by: jsonb([]) }, { prepared_by: jsonb({}) }],
  change_decided: [
    { state: sql`'APPROVED'` },
    { state: sql`'REJECTED'`, decider: keys() },
    { decider: keys('sub:dev:ana') },
  ],
  change_four_eyes: [
    { state: sql`'APPROVED'`, decider: sql`preparers` },
    { state: sql`'APPROVED'`, decider: keys('sub:dev:ana', null) },
  ],
  change_withdrawal_told: [{ state: sql`'WITHDRAWN'` }, { withdrawal_reason: sql`'x'` }],
}

describe.each(STORE_KINDS)('the second lock of changes on %s (rule 14)', (store) => {
  let host: Host
  let closed: ChangeStory
  const stories = new Map<ChangeSituation, ChangeStory>()
  beforeAll(async () => {
    host = await startHost({ store })
    await partnerNamed(host.db, 'LOCK')
    for (const on of ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'MOVED'] as const)
      stories.set(on, await changeIn(host, 'PARTY', on))
    closed = await changeIn(host, 'PARTY', 'REJECTED')
  })
  afterAll(() => host.close())

  const idOf = (on: ChangeSituation): string => stories.get(on)?.id as string
  const tried = (actor: Actor | undefined, ...statements: Statement[]) =>
    triedInOrder(host.store, actor, statements)
  /** Undecided again, with a new id. */
  const anew = (replaced: Assignments): Statement =>
    copyIn('change', closed.id, {
      ...{ id: sql`'chg_new'::text`, state: sql`'PENDING'::text`, version: sql`1` },
      ...{ decider: jsonb(null), decisions: jsonb([]), decided_xid: jsonb(null) },
      ...{ updated_by: jsonb(refOf(paul)) },
      ...replaced,
    })

  test('what the application does is accepted: propose, approve, reject, withdraw', async () => {
    expect(await tried(paul, anew({}))).toBe(1)
    expect(await tried(ana, updateIn('change', idOf('PENDING'), decidesChange(ana)))).toBe(1)
    const rejection = decidesChange(ana, 'REJECTED')
    expect(await tried(ana, updateIn('change', idOf('PENDING'), rejection), AT_THE_END)).toBe(0)
    expect(await tried(paul, updateIn('change', idOf('PENDING'), withdrawsChange(paul)))).toBe(1)
    expect(await tried(ana, updateIn('change', idOf('MOVED'), rejection))).toBe(1)
  })

  test.each(Object.keys(ATTEMPTS))('%s holds', async (constraint) => {
    for (const { name, by, on, set } of ATTEMPTS[constraint] ?? [])
      expectRefusedBy(await tried(by, updateIn('change', idOf(on), set)), constraint, name)
  })

  test.each(Object.keys(NEW))('%s holds for a new change', async (constraint) => {
    for (const [place, replaced] of [NEW[constraint] ?? []].flat().entries()) {
      const statements =
        constraint === 'change_one_open' ? [anew({ id: sql`'chg_first'::text` })] : []
      const outcome = await tried(paul, ...statements, anew(replaced))
      // A kind that does not exist belongs to no item either; which is said first does not matter.
      const by = (outcome as { constraint?: string }).constraint
      const name = `${place} ${Object.keys(replaced)}`
      if (by === 'change_kind') expect(constraint, name).toBe('change_kind_of_item')
      else expectRefusedBy(outcome, constraint, name)
    }
  })

  test('change_takes_effect: what is approved is carried out before the transaction ends', async () => {
    const approve = updateIn('change', idOf('PENDING'), decidesChange(ana))
    expectRefusedBy(await tried(ana, approve, AT_THE_END), 'change_takes_effect')
    const committed = host.db.write({ rows: 'ALL', subject: ana.subject }, (tx) => tx.run(approve))
    await expect(committed).rejects.toMatchObject({ constraint: 'change_takes_effect' })
  })

  test('nothing is decided without an acting subject, deleted or truncated', async () => {
    for (const set of [decidesChange(ana), withdrawsChange(paul)]) {
      const outcome = await tried(undefined, updateIn('change', idOf('PENDING'), set))
      expectRefusedBy(outcome, 'change_actor_recorded')
    }
    expectRefusedBy(await tried(undefined, anew({})), 'change_proposer_prepares')
    for (const statement of [sql`delete from change`, sql`truncate change cascade`])
      expect(await tried(ana, statement)).toMatchObject({ sqlState: '42501' })
    await expect(host.store.owner('truncate change cascade')).rejects.toThrow('append-only')
  })

  test.each(Object.keys(CHECKS))('%s holds where no trigger looks', async (constraint) => {
    for (const set of CHECKS[constraint] ?? []) {
      const outcome = await triedAsOwner(host.store, 'owner', {
        actor: ana,
        first:
          'alter table change no force row level security; alter table change disable trigger user',
        statement: updateIn('change', idOf('PENDING'), set),
      })
      expectRefusedBy(outcome, constraint, Object.keys(set).join())
    }
  })

  test('a scoped caller writes no change of what it does not see (rule 16)', async () => {
    const insert = sql`
      insert into change (id, kind, item_kind, item_id, base_version, reason, proposal, diff,
                          content_hash, party_id, preparers, prepared_by, created_by, updated_by)
      values ('chg_new', 'PARTY', 'party', ${closed.itemId}, 1, 'x', '{}', '[]', 'x', ${closed.itemId},
              ${keysOf(paul)}::text[], ${[refOf(paul)]}::jsonb, ${refOf(paul)}::jsonb,
              ${refOf(paul)}::jsonb)`
    expect(await tried(paul, insert)).toBe(1)
    const foreign = { partnerId: 'ptn_other' }
    const outcome = await triedInOrder(host.store, paul, [insert], foreign)
    expect(outcome).toMatchObject({ constraint: 'change_item_seen' })
    const update = updateIn('change', idOf('PENDING'), decidesChange(ana))
    expect(await triedInOrder(host.store, ana, [update], foreign)).toBe(0)
  })
})
