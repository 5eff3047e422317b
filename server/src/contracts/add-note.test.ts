import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractIn, partnerNamed } from '../../test/contract-stories.ts'
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

  test('201 for partner staff on their own deals, 403 for a customer, 404 for others (platform 3, rule 16)', async () => {
    const partnerId = await partnerNamed(host.db, 'NOTES')
    const path = `/contracts/${await contractIn(host, 'DRAFT', { partyId, partnerId } as never)}/notes`
    const permissions = ['contract:update', 'contract:read']
    const text = 'Seen by the partner.'
    const dealer = host.as('dora', { permissions, partnerId })
    expect((await dealer.post(path, { text })).status).toBe(201)
    expect((await dealer.get(path)).body.items).toMatchObject([{ text }])
    for (const link of [{ partyId }, { partyId, partnerId }]) {
      const clara = host.as('clara', { permissions, ...link })
      const refused = await clara.post(path, { text: 'Mine.' })
      expect(refused).toMatchObject({ status: 403, code: 'PERMISSION_MISSING' })
      expect((await clara.get(path)).body.items).toEqual([])
    }
    const other = host.as('x', { permissions, partnerId: 'ptn_other' })
    expect((await other.post(path, { text })).status).toBe(404)
    expect((await other.get(path)).status).toBe(404)
  })

  test('412 for another version of the contract; a dry run writes none; nothing is ever changed', async () => {
    const path = `/contracts/${await contractIn(host, 'ACTIVE', { partyId })}/notes`
    const clerk = host.as('clerk', 'contract:update', 'contract:read')
    const old = await clerk.post(path, { text: 'Old.' }, { 'if-match': '"1"' })
    expect(old).toMatchObject({ status: 412, code: 'VERSION_CONFLICT' })
    expect((await clerk.post(`${path}?dryRun=true`, { text: 'Dry.' })).status).toBe(200)
    expect((await clerk.get(path)).body.items).toEqual([])
    await clerk.post(path, { text: 'Kept.' }, { 'if-match': '"3"' })
    const write = (statement: ReturnType<typeof sql>) =>
      host.db.write({ rows: 'ALL', subject: 'dev:clerk' }, (tx) => tx.run(statement))
    for (const statement of [
      sql`update contract_note set text = 'x'`,
      sql`delete from contract_note`,
    ])
      await expect(write(statement)).rejects.toMatchObject({ sqlState: '42501' })
    expect((await clerk.get(path)).body.items).toMatchObject([{ text: 'Kept.' }])
  })
})
