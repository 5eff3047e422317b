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
} from '../../test/change-rows.ts'
import { type ChangeStory, changeIn, itemFor, proposed, staff } from '../../test/change-stories.ts'
import { type Assignments, expectRefusedBy } from '../../test/contract-changes.ts'
import {
  type Actor,
  developer,
  partnerNamed,
  refOf,
  succeeded,
} from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createContract, newContract } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { everyPermission } from '../../test/walk.ts'
import { type Statement, sql } from '../storage/sql.ts'

const [ana, eva, clem] = [developer('ana'), developer('eva'), developer('clem')]
const account = (iban: string): Statement => jsonb({ iban, holder: 'X' })

const carriesOut = (id: string): Assignments => ({ ...touched(ana), change_id: sql`${id}::text` })
const PROPOSED_ACCOUNT = (id: string): Assignments => ({
  bank_account: sql`(select proposal -> 'bankAccount' from change where id = ${id})`,
  ...carriesOut(id),
})
const UNBLOCKED = (id: string): Assignments => ({ state: sql`'ACTIVE'`, ...carriesOut(id) })
const ERASED = (id: string): Assignments => ({
  state: sql`'ERASED'`,
  display_name: sql`'–'`,
  name_folded: sql`'–'`,
  family_folded: sql`null`,
  person: jsonb({ firstName: '–', lastName: '–' }),
  ...carriesOut(id),
})

const SENSITIVE: Assignments = {
  person: jsonb({ firstName: 'Carla', lastName: 'Sommer' }),
  display_name: sql`'Carla'`,
  name_folded: sql`'carla'`,
  family_folded: sql`'carla'`,
  email: sql`'x@example.org'`,
  phone: sql`'+4930123456'`,
  address: jsonb({ street: 'X' }),
  bank_account: account('DE02120300000000202051'),
}

describe.each(STORE_KINDS)('the second lock of parties on %s (rule 14)', (store) => {
  let host: Host
  let party: ChangeStory
  let unblock: ChangeStory
  let erasure: ChangeStory
  let approved: ChangeStory
  let other: ChangeStory
  let partnerId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partnerId = await partnerNamed(host.db, 'LOCK')
    party = await proposed(host, 'PARTY')
    other = await proposed(host, 'PARTY')
    unblock = await proposed(host, 'UNBLOCK')
    erasure = await proposed(host, 'ERASURE')
    approved = await changeIn(host, 'PARTY', 'APPROVED')
  })
  afterAll(() => host.close())

  const tried = (actor: Actor | undefined, ...statements: Statement[]) =>
    triedInOrder(host.store, actor, statements)
  const approve = ({ id }: ChangeStory): Statement => updateIn('change', id, decidesChange(ana))
  const update = ({ itemId }: ChangeStory, set: Assignments): Statement =>
    updateIn('party', itemId, set)

  test('what the application does is accepted, to the end of the transaction', async () => {
    for (const [story, set] of [
      [party, PROPOSED_ACCOUNT],
      [unblock, UNBLOCKED],
      [erasure, ERASED],
    ] as const) {
      const steps = [approve(story), update(story, set(story.id))]
      expect(await tried(ana, ...steps), story.kind).toBe(1)
      expect(await tried(ana, ...steps, AT_THE_END), story.kind).toBe(0)
    }
    const plain = { ...touched(eva), language: sql`'de'`, external_ref: sql`'R'` }
    expect(await tried(eva, update(party, plain))).toBe(1)
    expect(await tried(eva, update(party, { ...touched(eva), state: sql`'BLOCKED'` }))).toBe(1)
  })

  test('party_change_approved: no sensitive value moves without a change', async () => {
    for (const [column, value] of Object.entries(SENSITIVE)) {
      const outcome = await tried(eva, update(party, { ...touched(eva), [column]: value }))
      expectRefusedBy(outcome, 'party_change_approved', column)
    }
  })

  test('party_change_approved: nor with one that another did not approve here and now', async () => {
    const set = PROPOSED_ACCOUNT(party.id)
    const rejected = await changeIn(host, 'PARTY', 'REJECTED')
    const wrong: Readonly<Record<string, readonly Statement[]>> = {
      'pending still': [update(party, set)],
      'a change that is none': [update(party, { ...set, change_id: sql`'chg_none'` })],
      'of another party': [approve(other), update(party, PROPOSED_ACCOUNT(other.id))],
      'reused for another party': [
        approve(party),
        update(party, set),
        update(other, PROPOSED_ACCOUNT(party.id)),
      ],
      'carried out twice': [
        approve(party),
        update(party, set),
        update(party, { ...set, bank_account: account('DE02120300000000202051') }),
      ],
      'approved in an earlier transaction': [
        update(approved, { ...carriesOut(approved.id), bank_account: account('X') }),
      ],
      'taken away with a change of old': [
        update(approved, { ...carriesOut(approved.id), bank_account: sql`null` }),
      ],
      rejected: [update(rejected, PROPOSED_ACCOUNT(rejected.id))],
      'named although nothing was decided': [
        update(party, { ...touched(ana), change_id: sql`${other.id}::text` }),
      ],
    }
    for (const [name, statements] of Object.entries(wrong))
      expectRefusedBy(await tried(ana, ...statements), 'party_change_approved', name)
  })

  test('party_made_as_approved: a change does what was approved, nothing else', async () => {
    const wrong: readonly (readonly [string, ChangeStory, Assignments])[] = [
      ...Object.entries(SENSITIVE)
        .filter(([column]) => !column.endsWith('_folded'))
        .map(
          ([column, value]) =>
            [column, party, { ...PROPOSED_ACCOUNT(party.id), [column]: value }] as const,
        ),
      ['language', party, { ...PROPOSED_ACCOUNT(party.id), language: sql`'fr'` }],
      ['blocked too', party, { ...PROPOSED_ACCOUNT(party.id), state: sql`'BLOCKED'` }],
      ['the account left out', party, carriesOut(party.id)],
      [
        'unblocked with another account',
        unblock,
        { ...UNBLOCKED(unblock.id), bank_account: account('X') },
      ],
      ['not unblocked', unblock, carriesOut(unblock.id)],
      ['erased instead of unblocked', unblock, ERASED(unblock.id)],
      ['not erased', erasure, carriesOut(erasure.id)],
      [
        'changed instead of erased',
        erasure,
        { ...carriesOut(erasure.id), bank_account: account('X') },
      ],
      ...Object.entries({
        ...SENSITIVE,
        language: sql`'de'`,
        external_ref: sql`'R'`,
        block_reason: sql`'B'`,
      }).map(
        ([column, value]) =>
          [`${column} left`, erasure, { ...ERASED(erasure.id), [column]: value }] as const,
      ),
    ]
    for (const [name, story, set] of wrong)
      expectRefusedBy(
        await tried(ana, approve(story), update(story, set)),
        'party_made_as_approved',
        name,
      )
  })

  test('party_moves: states move only along the table', async () => {
    const erased = await changeIn(host, 'ERASURE', 'APPROVED')
    const wrong: readonly (readonly [ChangeStory, Assignments])[] = [
      [party, { state: sql`'ERASED'` }],
      [unblock, { state: sql`'ACTIVE'` }],
      [unblock, { state: sql`'ERASED'` }],
      [erased, { state: sql`'ACTIVE'` }],
      [erased, { state: sql`'BLOCKED'` }],
      [erased, { language: sql`'de'` }],
    ]
    for (const [story, set] of wrong) {
      const outcome = await tried(eva, update(story, { ...touched(eva), ...set }))
      expectRefusedBy(outcome, 'party_moves', story.kind)
    }
  })

  test('party_erasable: not while a contract lives, nor by who sees only some of them', async () => {
    const partyPath = await itemFor(host, 'PARTY', { partnerId })
    const itemId = partyPath.split('/')[2] as string
    const { body } = await staff(host, 'paul').post(`${partyPath}/erase`, { reason: 'Asked for.' })
    const story = { ...erasure, id: body.id, itemId }
    const steps = [approve(story), update(story, ERASED(story.id))]
    expect(await tried(ana, ...steps)).toBe(1)
    const scoped = await triedInOrder(host.store, ana, steps, { partnerId })
    expectRefusedBy(scoped, 'party_erasable')
    await createContract(staff(host, 'paul'), newContract(itemId))
    expectRefusedBy(await tried(ana, ...steps), 'party_erasable')
  })

  test('identity, version and actor are kept with every change', async () => {
    const wrong: Readonly<Record<string, Assignments>> = {
      id: { id: sql`'pty_x'` },
      created_at: { created_at: sql`now() - interval '1 day'` },
      created_by: { created_by: jsonb(refOf(eva)) },
      created_by_partner: { created_by_partner: sql`${partnerId}::text` },
      preparers: { preparers: keys('sub:dev:eva') },
    }
    for (const [name, set] of Object.entries(wrong)) {
      const outcome = await tried(eva, update(party, { ...touched(eva), ...set }))
      expectRefusedBy(outcome, 'party_identity', name)
    }
    for (const version of [sql`version`, sql`version + 2`, sql`version - 1`]) {
      const outcome = await tried(eva, update(party, { ...touched(eva), version }))
      expectRefusedBy(outcome, 'party_version_steps')
    }
    for (const actor of [ana, undefined]) {
      const outcome = await tried(actor, update(party, { ...touched(eva), language: sql`'de'` }))
      expectRefusedBy(outcome, 'party_actor_recorded')
    }
  })

  test('a new party begins active, without a bank account, with its creator as preparer', async () => {
    const anew = (replaced: Assignments): Statement =>
      copyIn('party', party.itemId, { id: sql`'pty_new'::text`, ...replaced })
    expect(await tried(clem, anew({}))).toBe(1)
    for (const [constraint, replaced] of [
      ['party_begins', { state: sql`'BLOCKED'::text` }],
      ['party_begins', { version: sql`2` }],
      ['party_creator_prepares', { preparers: keys('sub:dev:eva') }],
      ['party_creator_prepares', { created_by: jsonb(refOf(eva)) }],
      ['party_begins_without_account', { bank_account: account('X') }],
      ['party_begins_without_account', { change_id: sql`${party.id}::text` }],
    ] as const) {
      expectRefusedBy(await tried(clem, anew(replaced)), constraint, Object.keys(replaced).join())
    }
    expectRefusedBy(await tried(eva, anew({})), 'party_creator_prepares')
    for (const statement of [sql`delete from party`, sql`truncate party cascade`])
      expect(await tried(ana, statement)).toMatchObject({ sqlState: '42501' })
  })

  test('only an erased party is forgotten, and only its values (platform 9)', async () => {
    const erased = await changeIn(host, 'ERASURE', 'APPROVED')
    const forget = sql`update change set proposal = '{}', diff = '[]' where id = ${approved.id}`
    expectRefusedBy(await tried(ana, forget), 'change_frozen')
    const unsay = (more: Statement) => sql`
      update change set proposal = '{}', diff = '[{"pointer": "/state", "before": null, "after": null}]'
             ${more} where id = ${erased.id}`
    expect(await tried(ana, unsay(sql``))).toBe(1)
    for (const more of [
      sql`, reason = 'Other.'`,
      sql`, decisions = '[]'`,
      sql`, updated_at = now()`,
    ])
      expectRefusedBy(await tried(ana, unsay(more)), 'change_frozen')
    const customer = host.as('clara', { permissions: everyPermission, partyId: party.itemId })
    const address = { street: 'X', postalCode: '1', city: 'X', country: 'DE' }
    await succeeded(customer.post('/my/requests', { kind: 'ADDRESS', address }))
    const wish = sql`update request set wish = '{}' where party_id = ${party.itemId}`
    expectRefusedBy(await tried(ana, wish), 'request_answered_once')
  })
})
