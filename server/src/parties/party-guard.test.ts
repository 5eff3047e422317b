import { describe, expect, test } from 'vitest'
import { developer, keysOf, refOf } from '../../test/contract-stories.ts'
import { eachStore } from '../../test/stores.ts'
import { SqlFault } from '../storage/failures.ts'
import { sql } from '../storage/sql.ts'

const [paul, eva] = [developer('paul'), developer('eva')]
const PARTY = {
  id: 'pty_new',
  type: 'PERSON',
  person: { firstName: 'A', lastName: 'B' } as object | null,
  organisation: null as object | null,
  state: 'ACTIVE',
  version: 1,
  partner: null as string | null,
  preparers: keysOf(paul) as (string | null)[],
  createdBy: refOf(paul),
}

eachStore((store) => {
  /** Accepted rows are taken back. */
  const inserted = (overrides: Partial<typeof PARTY>, actor: typeof paul | undefined = paul) => {
    const row = { ...PARTY, ...overrides }
    return store.db
      .write({ rows: 'ALL', ...(actor && { subject: actor.subject }) }, async (tx) => {
        await tx.run(sql`
          insert into party (id, type, person, organisation, display_name, name_folded, state, version,
                             created_by_partner, preparers, created_by, updated_by)
          values (${row.id}, ${row.type}, ${row.person}::jsonb, ${row.organisation}::jsonb, 'A B', 'a b',
                  ${row.state}, ${row.version}, ${row.partner}, ${row.preparers}::text[],
                  ${row.createdBy}::jsonb, ${row.createdBy}::jsonb)`)
        throw new Error('accepted')
      })
      .catch((error: unknown) => (error instanceof SqlFault ? error.constraint : String(error)))
  }

  describe('the second lock of parties (rule 14)', () => {
    test('a party of the acting one is accepted', async () => {
      expect(await inserted({})).toBe('Error: accepted')
    })

    test.each<[string, string, Partial<typeof PARTY>]>([
      ['party_begins', 'begins blocked', { state: 'BLOCKED' }],
      ['party_begins', 'begins erased', { state: 'ERASED' }],
      ['party_begins', 'begins as a later version', { version: 2 }],
      ['party_creator_prepares', 'has no preparers', { preparers: [] }],
      ['party_creator_prepares', 'is prepared by another', { preparers: keysOf(eva) }],
      ['party_creator_prepares', 'is prepared by a name alone', { preparers: ['name:paul'] }],
      ['party_creator_prepares', 'is created by another', { createdBy: refOf(eva) }],
      ['party_preparers', 'has a preparer that is null', { preparers: [...keysOf(paul), null] }],
      ['party_type', 'is of no type', { type: 'GHOST', person: null }],
      ['party_of_type', 'is a person without one', { person: null }],
      ['party_of_type', 'is both', { organisation: { name: 'X' } }],
      ['party_partner_known', 'comes from a partner that is not there', { partner: 'ptn_none' }],
    ])('%s refuses a party that %s', async (constraint, _, overrides) => {
      expect(await inserted(overrides)).toBe(constraint)
    })

    test('nobody creates without an acting subject, or for another', async () => {
      expect(await inserted({}, eva)).toBe('party_creator_prepares')
      const none = store.db.write({ rows: 'ALL' }, (tx) =>
        tx.run(sql`
          insert into party (id, type, person, display_name, name_folded, preparers, created_by, updated_by)
          values ('pty_x', 'PERSON', '{}', 'x', 'x', '{sub:}', '{}', '{}')`),
      )
      await expect(none).rejects.toMatchObject({ constraint: 'party_creator_prepares' })
    })
  })
})
