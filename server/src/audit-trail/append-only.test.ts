import { beforeAll, describe, expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import { createSequencer } from './sequencer.ts'
import { ALL, chainAll, testLog, work } from './test/trail.ts'

const TABLES = [
  'audit_entry',
  'audit_chain',
  'audit_checkpoint',
  'access_log',
  'event',
  'event_feed',
]
const RESTRICTED = '23001'
const NO_RIGHT = '42501'

eachStore((store) => {
  beforeAll(async () => {
    await work(store.db, 'kept')
    await chainAll(store.db, createSequencer({ db: store.db, log: testLog() }))
    await store.db.write(ALL, async (tx) => {
      await tx.run(sql`
        insert into audit_checkpoint values ('signature', 1, 'hash', now(), 'key')`)
      await tx.run(sql`
        insert into access_log values ('batch', 0, 'pty_1', 'party', 'pty_1', 'readParty', now(),
                                       'OPERATIONS', 'sub', 'ana', 'request')`)
    })
  })

  describe.each(TABLES)('%s', (table) => {
    const statements = [
      `update ${table} set at = now()`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]

    test.each(statements)('the application may not: %s (platform 9)', async (text) => {
      const asked = store.db.write(ALL, (tx) => tx.run({ text, values: [] }))
      await expect(asked).rejects.toMatchObject({ sqlState: NO_RIGHT })
    })

    test.each(statements)('the owner is refused by a trigger: %s (platform 9)', async (text) => {
      const cascade = text.startsWith('truncate') ? ' cascade' : ''
      const asked = store.rights.use(async (session) => {
        await session.query('begin', [])
        try {
          await session.query(`alter table ${table} no force row level security`, [])
          await session.query(text + cascade, [])
        } finally {
          await session.query('rollback', [])
        }
      })
      await expect(asked).rejects.toMatchObject({ sqlState: RESTRICTED })
    })
  })

  test.each([
    ['audit_chain', 'entry_id, hash', `'e2', repeat('a', 64)`],
    ['event_feed', 'event_id', `'e2'`],
  ])('a number of %s that leaves a gap is refused (platform 9)', async (table, columns, values) => {
    for (const seq of [0, 3, 100]) {
      const text = `insert into ${table} (seq, ${columns}) values (${seq}, ${values})`
      const asked = store.db.write(ALL, (tx) => tx.run({ text, values: [] }))
      await expect(asked, `${seq}`).rejects.toMatchObject({ constraint: `${table}_gapless` })
    }
  })

  test.each(TABLES)('%s shows nothing to a scoped caller (platform 3)', async (table) => {
    const text = `select 1 from ${table}`
    for (const rows of ['NONE', 'ROWS'] as const) {
      const scope = { rows, ...(rows === 'ROWS' && { partyId: 'pty_2', partnerId: 'ptn_2' }) }
      expect(await store.db.read(scope, (read) => read.rows({ text, values: [] }))).toEqual([])
    }
    expect(await store.db.read(ALL, (read) => read.rows({ text, values: [] }))).toHaveLength(1)
  })

  test('a customer sees who looked at the own party, and nothing about others (platform 5)', async () => {
    const text = 'select 1 from access_log'
    const rowsOf = (partyId: string) =>
      store.db.read({ rows: 'ROWS', partyId }, (read) => read.rows({ text, values: [] }))
    expect(await rowsOf('pty_1')).toHaveLength(1)
    expect(await rowsOf('pty_2')).toEqual([])
  })
})
