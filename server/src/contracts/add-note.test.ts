import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn } from '../../test/contract-stories.ts'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, PREPARING } from '../../test/samples.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'

describe.each(STORE_KINDS)('addNote on %s', (store) => {
  let host: Host
  let partyId: string
  beforeAll(async () => {
    host = await startHost({ store })
    partyId = await createParty(host.as('paul', ...PREPARING))
  })
  afterAll(() => host.close())

  test('201, kept as written, told in the audit trail without its text (platform 4)', async () => {
    const id = await contractIn(host, 'PENDING_APPROVAL', { partyId })
    const clerk = host.as('clerk', 'contract:update')
    const note = await clerk.post(`/contracts/${id}/notes`, { text: 'Called the customer.' })
    expect(note.status, note.text).toBe(201)
    expect(note.body).toMatchObject({
      text: 'Called the customer.',
      writtenBy: { username: 'clerk' },
    })
    const entries = await host.db.read({ rows: 'ALL' }, (read) =>
      read.rows<{ action: string; diff: unknown }>(
        sql`select action, diff from audit_entry where item_id = ${note.body.id}`,
      ),
    )
    expect(entries.map(({ action }) => action)).toEqual(['note.added'])
    expect(JSON.stringify(entries)).not.toContain('Called')
  })

  test('400 for a blank or too long note, 404 for an unknown contract', async () => {
    const id = await contractIn(host, 'DRAFT', { partyId })
    const clerk = host.as('clerk', 'contract:update')
    for (const text of ['', '   ', 'x'.repeat(2_001)]) {
      expect((await clerk.post(`/contracts/${id}/notes`, { text })).status, `${text.length}`).toBe(
        400,
      )
    }
    expect(await clerk.post('/contracts/ctr_none/notes', { text: 'x' })).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    })
  })
})
