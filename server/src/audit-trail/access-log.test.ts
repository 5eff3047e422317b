import { describe, expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import type { Caller } from '../access/caller.ts'
import type { StaffAccess } from '../http/kernel.ts'
import { sql } from '../storage/sql.ts'
import type { Db } from '../storage/tx.ts'
import { createAccessLog } from './access-log.ts'
import type { AccessRow } from './access-row.ts'
import { createSequencer } from './sequencer.ts'
import { ALL, behindTheBack, chainAll, each, exportedLines, testLog } from './test/trail.ts'
import { verifyExport } from './verify-export.ts'

const caller = (username: string, links: Partial<Caller> = {}): Caller => ({
  subject: `dev:${username}`,
  username,
  human: true,
  permissions: new Set(),
  mode: 'developer',
  ...links,
})
const access = (partyId: string, links?: Partial<Caller>): StaffAccess => ({
  item: { kind: 'contract', id: `ctr-of-${partyId}`, partyId },
  caller: caller('ana', links),
  routeId: 'readContract',
  requestId: 'request-of-a-test',
})
const rowsOf = (db: Db, partyId: string): Promise<AccessRow[]> =>
  db.read(ALL, (read) =>
    read.rows(sql`
      select item_kind as "itemKind", item_id as "itemId", action, at, surface, username,
             request_id as "requestId"
        from access_log where party_id = ${partyId} order by at, batch_id, position`),
  )
const batches = (db: Db): Promise<{ diff: { pointer: string; after: unknown }[] }[]> =>
  db.read(ALL, (read) =>
    read.rows(sql`
      select diff from audit_entry where action = 'access.logged' order by ordinal`),
  )

/** A database that fails as often as it is told to, before or after the work is kept. */
function failing(db: Db, plan: ('before' | 'after')[]): Db {
  return {
    ...db,
    write: async (scope, work) => {
      const when = plan.shift()
      if (when === 'before') throw new Error('away')
      const result = await db.write(scope, work)
      if (when === 'after') throw new Error('the answer was lost')
      return result
    },
  }
}

eachStore((store) => {
  test('reads by staff and by partners are written within a second, as one batch (platform 9)', async () => {
    const log = createAccessLog({ db: store.db, log: testLog() })
    const before = Date.now()
    log.note(access('pty_1'))
    log.note(access('pty_1', { partnerId: 'ptn_1' }))
    log.note(access('pty_2'))
    expect(await rowsOf(store.db, 'pty_1')).toEqual([])
    await expect
      .poll(async () => (await rowsOf(store.db, 'pty_1')).length, { timeout: 2_000, interval: 20 })
      .toBe(2)
    expect(Date.now() - before).toBeLessThan(1_500)
    const [first, second] = await rowsOf(store.db, 'pty_1')
    expect(first).toMatchObject({
      itemKind: 'contract',
      itemId: 'ctr-of-pty_1',
      action: 'readContract',
      surface: 'OPERATIONS',
      username: 'ana',
      requestId: 'request-of-a-test',
    })
    expect(second).toMatchObject({ surface: 'PARTNER' })
    expect(Math.abs(Date.parse(first?.at as string) - before)).toBeLessThan(500)
    expect(await batches(store.db)).toHaveLength(1)
    await log.stop()
  })

  test('a stop flushes (platform 9)', async () => {
    const log = createAccessLog({ db: store.db, log: testLog() })
    log.note(access('pty_stop'))
    await log.stop()
    expect(await rowsOf(store.db, 'pty_stop')).toHaveLength(1)
  })

  test('nothing read, nothing written (platform 9)', async () => {
    const before = (await batches(store.db)).length
    const log = createAccessLog({ db: store.db, log: testLog() })
    await log.flush()
    await log.stop()
    expect(await batches(store.db)).toHaveLength(before)
  })

  describe('a database that is away', () => {
    test('gets the reads later (platform 9)', async () => {
      const told = testLog()
      const log = createAccessLog({ db: failing(store.db, ['before', 'before']), log: told })
      log.note(access('pty_late'))
      await expect
        .poll(async () => (await rowsOf(store.db, 'pty_late')).length, { timeout: 5_000 })
        .toBe(1)
      expect(told.lines.map(({ message }) => message)).toEqual([
        'the access log cannot be written',
        'the access log cannot be written',
      ])
      await log.stop()
    })

    test('whose answer was lost gets no batch twice (platform 9)', async () => {
      const before = (await batches(store.db)).length
      const log = createAccessLog({ db: failing(store.db, ['after']), log: testLog() })
      log.note(access('pty_twice'))
      await expect(log.flush()).rejects.toThrow('the answer was lost')
      log.note(access('pty_twice'))
      await log.stop()
      expect(await rowsOf(store.db, 'pty_twice')).toHaveLength(2)
      expect(await batches(store.db)).toHaveLength(before + 2)
    })

    test('at the stop loses the last reads, says so and ends (platform 9)', async () => {
      const told = testLog()
      const log = createAccessLog({ db: failing(store.db, ['before']), log: told })
      log.note(access('pty_lost'))
      await log.stop()
      expect(told.lines).toEqual([
        { level: 'error', message: 'the last reads could not be written to the access log' },
      ])
    })

    test('does not make the process grow: what is lost is counted and told (platform 9)', async () => {
      const plan = ['before' as const]
      const log = createAccessLog({ db: failing(store.db, plan), log: testLog() })
      for (let n = 0; n < 20_010; n++) log.note(access('pty_flood'))
      await expect(log.flush()).rejects.toThrow('away')
      await log.stop()
      expect(await rowsOf(store.db, 'pty_flood')).toHaveLength(20_000)
      const lost = (await batches(store.db)).flatMap(({ diff }) =>
        diff.filter(({ pointer }) => pointer === '/lost').map(({ after }) => after),
      )
      expect(lost).toEqual([10])
    })
  })

  test('a batch that was changed no longer fits its digest in the chain (rule 20)', async () => {
    const log = createAccessLog({ db: store.db, log: testLog() })
    log.note(access('pty_proof'))
    await log.stop()
    await chainAll(store.db, createSequencer({ db: store.db, log: testLog() }))
    const verified = async () =>
      verifyExport(each(await exportedLines(store.db, { accesses: true })))
    expect(await verified()).toMatchObject({ ok: true })
    await store.owner(
      behindTheBack(`
        alter table access_log disable trigger user; alter table access_log no force row level security;
        update access_log set username = 'nobody' where party_id = 'pty_proof';
        alter table access_log force row level security; alter table access_log enable trigger user`),
    )
    expect(await verified()).toMatchObject({
      ok: false,
      fault: { wrong: 'its part of the access log is not the one that was recorded' },
    })
  })
})
