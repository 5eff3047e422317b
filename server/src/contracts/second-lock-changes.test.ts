import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AT_THE_END,
  decidesChange,
  jsonb,
  touched,
  triedInOrder,
  updateIn,
} from '../../test/change-rows.ts'
import { type ChangeStory, changeIn, proposed, reason, staff } from '../../test/change-stories.ts'
import { type Assignments, expectRefusedBy } from '../../test/contract-changes.ts'
import { contractIn, developer, succeeded } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { type Statement, sql } from '../storage/sql.ts'

const ana = developer('ana')
const carriesOut = (id: string): Assignments => ({ ...touched(ana), change_id: sql`${id}::text` })

/** As the application amends: everything from the proposal, the hash after it. */
const AMENDED = (id: string): Assignments => ({
  terms: sql`(select proposal #> '{content,terms}' from change where id = ${id})`,
  plan: sql`(select proposal -> 'plan' from change where id = ${id})`,
  content_hash: sql`repeat('a', 64)`,
  ...carriesOut(id),
})
const ENDED = (id: string, state: string): Assignments => ({
  state: sql`${state}`,
  effective_date: sql`date '2027-06-30'`,
  ...carriesOut(id),
})

describe.each(STORE_KINDS)('the second lock of changes to contracts on %s (rule 14)', (store) => {
  let host: Host
  let amendment: ChangeStory
  let settlement: ChangeStory
  let termination: ChangeStory
  let other: ChangeStory
  beforeAll(async () => {
    host = await startHost({ store })
    amendment = await proposed(host, 'AMENDMENT')
    settlement = await proposed(host, 'SETTLEMENT')
    termination = await proposed(host, 'TERMINATION')
    other = await proposed(host, 'AMENDMENT')
  })
  afterAll(() => host.close())

  const tried = (...statements: Statement[]) => triedInOrder(host.store, ana, statements)
  const approve = ({ id }: ChangeStory): Statement => updateIn('change', id, decidesChange(ana))
  const update = ({ itemId }: ChangeStory, set: Assignments): Statement =>
    updateIn('contract', itemId, set)

  test('what the application does is accepted, to the end of the transaction', async () => {
    for (const [story, set] of [
      [amendment, AMENDED(amendment.id)],
      [settlement, ENDED(settlement.id, 'SETTLED')],
      [termination, ENDED(termination.id, 'TERMINATED')],
    ] as const) {
      const steps = [approve(story), update(story, set)]
      expect(await tried(...steps), story.kind).toBe(1)
      expect(await tried(...steps, AT_THE_END), story.kind).toBe(0)
    }
  })

  test('contract_made_as_approved: a change does what was approved, nothing else', async () => {
    const wrong: Readonly<Record<string, readonly [ChangeStory, Assignments]>> = {
      'other terms': [
        amendment,
        { ...AMENDED(amendment.id), terms: sql`terms || '{"nominalRate": "9"}'` },
      ],
      'another plan': [
        amendment,
        { ...AMENDED(amendment.id), plan: sql`plan || '{"effectiveRate": "9"}'` },
      ],
      'an asset': [amendment, { ...AMENDED(amendment.id), asset: jsonb({ category: 'X' }) }],
      'another type': [amendment, { ...AMENDED(amendment.id), type: sql`'HIRE_PURCHASE'` }],
      'a commission': [
        amendment,
        { ...AMENDED(amendment.id), commission: jsonb({ amount: '1.00', currency: 'EUR' }) },
      ],
      'a note': [amendment, { ...AMENDED(amendment.id), internal_note: sql`'X'` }],
      'a reference': [amendment, { ...AMENDED(amendment.id), external_ref: sql`'X'` }],
      'another day': [
        settlement,
        { ...ENDED(settlement.id, 'SETTLED'), effective_date: sql`date '2027-07-01'` },
      ],
      'no day': [settlement, { ...ENDED(settlement.id, 'SETTLED'), effective_date: sql`null` }],
    }
    for (const [name, [story, set]] of Object.entries(wrong))
      expectRefusedBy(
        await tried(approve(story), update(story, set)),
        'contract_made_as_approved',
        name,
      )
  })

  test('no change is carried out twice, for another contract, as another kind, or later', async () => {
    const approved = await changeIn(host, 'AMENDMENT', 'APPROVED')
    const wrong: readonly (readonly [constraint: string, name: string, ...Statement[]])[] = [
      [
        'contract_frozen',
        'twice',
        approve(amendment),
        update(amendment, AMENDED(amendment.id)),
        update(amendment, { ...AMENDED(amendment.id), internal_note: sql`'X'` }),
      ],
      ['contract_frozen', 'another contract', approve(other), update(amendment, AMENDED(other.id))],
      ['contract_frozen', 'pending still', update(amendment, AMENDED(amendment.id))],
      [
        'contract_frozen',
        'approved in an earlier transaction',
        update(approved, { ...carriesOut(approved.id), internal_note: sql`'X'` }),
      ],
      [
        'contract_change_approved',
        'settled by a termination',
        approve(termination),
        update(termination, ENDED(termination.id, 'SETTLED')),
      ],
      [
        'contract_change_approved',
        'settled by an amendment',
        approve(amendment),
        update(amendment, ENDED(amendment.id, 'SETTLED')),
      ],
    ]
    for (const [constraint, name, ...statements] of wrong)
      expectRefusedBy(await tried(...statements), constraint, name)
  })

  test('contract_made_as_approved: no other move names a change', async () => {
    const partyId = await createParty(staff(host, 'paul'))
    const id = await contractIn(host, 'APPROVED', { partyId })
    const withdrawal = { state: sql`'WITHDRAWN'`, ...carriesOut(amendment.id) }
    const outcome = await tried(updateIn('contract', id, withdrawal))
    expectRefusedBy(outcome, 'contract_made_as_approved')
    await succeeded(staff(host, 'ana').post(`/contracts/${id}/withdraw`, reason))
  })
})
