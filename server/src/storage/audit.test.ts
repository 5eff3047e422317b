import { describe, expect, test } from 'vitest'
import { eachStore, type TestStore } from '../../test/stores.ts'
import { canonicalJson } from '../base/canonical-json.ts'
import { sha256Hex } from '../base/digest.ts'
import { type AuditActor, type AuditEntry, recordAudit } from './audit.ts'
import { SqlFault } from './failures.ts'
import { type Statement, sql } from './sql.ts'

const ACTOR: AuditActor = {
  ...{
    subject: 'https://id.example.org#1',
    username: 'paul',
    clientId: 'tfs-ops',
    sessionId: 's-1',
  },
  ...{ issuer: 'https://id.example.org', mode: 'token', actor: 'https://id.example.org#9' },
  ...{ remoteAddress: '127.0.0.1', requestId: 'request-1' },
}
const SCOPE = { rows: 'ROWS', partnerId: 'ptn_1', subject: ACTOR.subject } as const

interface Stored {
  readonly id: string
  readonly diff: { pointer: string; before: unknown; after: unknown }[]
}

async function recorded(
  store: TestStore,
  entry: AuditEntry,
): Promise<Stored & Record<string, unknown>> {
  await store.db.write(SCOPE, (tx) => recordAudit(tx, ACTOR, entry))
  return store.db.read({ rows: 'ALL' }, (read) =>
    read.one(sql`
      select id, at, request_id as "requestId", subject, username, client_id as "clientId",
             session_id as "sessionId", issuer, mode, actor, remote_address as "remoteAddress", action,
             outcome, code, item_kind as "itemKind", item_id as "itemId", item_version as "itemVersion", diff
        from audit_entry order by id desc limit 1`),
  )
}

eachStore((store) => {
  test('an entry tells who, from where, what, on what and when by the database’s clock', async () => {
    const before = Date.now()
    const diff = [{ pointer: '/state', before: 'DRAFT', after: 'PENDING_APPROVAL' }]
    const item = { kind: 'contract', id: 'ctr_1', version: 2 }
    const entry = await recorded(store, { action: 'contract.submitted', item, diff })
    expect(entry).toEqual({
      ...ACTOR,
      id: expect.stringMatching(/^aud_[0-9a-z]{26}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      ...{ action: 'contract.submitted', outcome: 'DONE', code: null },
      ...{ itemKind: 'contract', itemId: 'ctr_1', itemVersion: 2, diff },
    })
    expect(Math.abs(Date.parse(entry['at'] as string) - before)).toBeLessThan(60_000)
  })

  test('a refusal carries its code and may have no item', async () => {
    const refusal = { action: 'approveContract', refusedWith: 'FOUR_EYES_SAME_USER' }
    const entry = await recorded(store, refusal)
    expect(entry).toMatchObject({ outcome: 'REFUSED', code: 'FOUR_EYES_SAME_USER', diff: [] })
    expect(entry).toMatchObject({ itemKind: null, itemId: null, itemVersion: null })
  })

  test('personal values stand in the entry as salted hashes, the values themselves elsewhere', async () => {
    const { id, diff } = await recorded(store, {
      action: 'party.updated',
      item: { kind: 'party', id: 'pty_1', version: 2 },
      diff: [
        { pointer: '/person/lastName', before: 'Sommer', after: 'Winter' },
        { pointer: '/email', before: null, after: 'c@example.org' },
        { pointer: '/address', before: { city: 'Berlin', street: 'A' }, after: null },
        { pointer: '/personal', before: 'a', after: 'b' },
        { pointer: '/language', before: 'de', after: 'en' },
      ],
      personal: { partyId: 'pty_1', pointers: ['/person', '/email', '/address'] },
    })
    const values = await store.db.read({ rows: 'ALL' }, (read) =>
      read.rows<{ pointer: string; side: 'before' | 'after'; salt: string; value: unknown }>(sql`
        select pointer, side, salt, value from audit_personal_value
         where entry_id = ${id} and party_id = 'pty_1' order by pointer, side desc`),
    )
    expect(values.map(({ salt: _, ...value }) => value)).toEqual([
      { pointer: '/address', side: 'before', value: { city: 'Berlin', street: 'A' } },
      { pointer: '/email', side: 'after', value: 'c@example.org' },
      { pointer: '/person/lastName', side: 'before', value: 'Sommer' },
      { pointer: '/person/lastName', side: 'after', value: 'Winter' },
    ])
    for (const { pointer, side, salt, value } of values) {
      const row = diff.find((each) => each.pointer === pointer)
      expect(row?.[side]).toEqual({ sha256: sha256Hex(salt + canonicalJson(value)) })
    }
    expect(new Set(values.map(({ salt }) => salt)).size).toBe(values.length)
    expect(diff[1]).toMatchObject({ before: null })
    expect(diff.slice(3)).toEqual([
      { pointer: '/personal', before: 'a', after: 'b' },
      { pointer: '/language', before: 'de', after: 'en' },
    ])
    const text = JSON.stringify(diff)
    for (const value of ['Sommer', 'Winter', 'c@example.org', 'Berlin'])
      expect(text).not.toContain(value)
  })

  test('the same value has another hash in every entry', async () => {
    const entry = {
      action: 'party.created',
      diff: [{ pointer: '/email', before: null, after: 'c@example.org' }],
      personal: { partyId: 'pty_1', pointers: ['/email'] },
    }
    const [first, second] = [await recorded(store, entry), await recorded(store, entry)]
    expect(first.diff).not.toEqual(second.diff)
  })

  describe('the table by itself', () => {
    const entry = (overrides: Record<string, unknown>): Statement => {
      const row = { id: 'aud_x', mode: 'token', outcome: 'DONE', code: null, ...overrides }
      return sql`
        insert into audit_entry (id, request_id, subject, username, mode, action, outcome, code)
        values (${row.id}, 'r', ${SCOPE.subject}, 'x', ${row.mode}, 'a', ${row.outcome}, ${row.code})`
    }
    const constraintOf = (statement: Statement) =>
      store.db
        .write(SCOPE, (tx) => tx.run(statement))
        .catch((error: unknown) => (error instanceof SqlFault ? error.constraint : String(error)))

    test.each([
      [{ mode: 'root' }, 'audit_entry_mode'],
      [{ outcome: 'MAYBE' }, 'audit_entry_outcome'],
      [{ outcome: 'REFUSED' }, 'audit_entry_code'],
      [{ code: 'X' }, 'audit_entry_code'],
    ])('%j is refused by %s', async (overrides, constraint) => {
      expect(await constraintOf(entry(overrides))).toBe(constraint)
    })

    test('a value belongs to an entry, stands once on a side, and is never rewritten', async () => {
      const { id } = await recorded(store, {
        action: 'x',
        diff: [{ pointer: '/email', before: null, after: 'a' }],
        personal: { partyId: 'pty_1', pointers: ['/email'] },
      })
      const value = (entryId: string, side: string) => sql`
        insert into audit_personal_value (entry_id, pointer, side, salt, value)
        values (${entryId}, '/email', ${side}, 's', '1')`
      expect(await constraintOf(value('aud_none', 'after'))).toBe(
        'audit_personal_value_entry_id_fkey',
      )
      expect(await constraintOf(value(id, 'after'))).toBe('audit_personal_value_pkey')
      expect(await constraintOf(value(id, 'beside'))).toBe('audit_personal_value_side')
      await store.rights.use(async (session) => {
        await session.query('begin', [])
        try {
          await session.script('alter table audit_personal_value no force row level security')
          const rewrite = session.query(`update audit_personal_value set value = '"b"'`, [])
          await expect(rewrite).rejects.toThrow('audit_personal_value is append-only')
        } finally {
          await session.query('rollback', [])
        }
      })
    })
  })
})
