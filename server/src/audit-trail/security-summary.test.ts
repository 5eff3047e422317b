import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import type { Db } from '../storage/tx.ts'
import { createSecuritySummary } from './security-summary.ts'
import { ALL, testLog } from './test/trail.ts'

const summaries = (
  db: Db,
): Promise<{ mode: string; diff: { pointer: string; after: unknown }[] }[]> =>
  db.read(ALL, (read) =>
    read.rows(sql`
      select mode, diff from audit_entry where action = 'security.summarised' order by ordinal`),
  )
const countsOf = (summary: Awaited<ReturnType<typeof summaries>>[number] | undefined) =>
  Object.fromEntries(
    (summary?.diff ?? [])
      .filter(({ pointer }) => pointer.startsWith('/refusals/'))
      .map(({ pointer, after }) => [pointer.slice('/refusals/'.length), after]),
  )

eachStore((store) => {
  test('refusals before identity become one entry with counts by code (platform 9)', async () => {
    let now = Date.parse('2026-11-30T12:00:00Z')
    const summary = createSecuritySummary({ db: store.db, log: testLog(), clock: () => now })
    for (let n = 0; n < 1_000; n++) summary.count('TOKEN_INVALID')
    summary.count('MSG-G-12')
    now += 60_000
    await summary.flush()
    await summary.flush()
    const [written, ...more] = await summaries(store.db)
    expect(more).toEqual([])
    expect(written?.mode).toBe('system')
    expect(countsOf(written)).toEqual({ TOKEN_INVALID: 1_000, 'MSG-G-12': 1 })
    expect(written?.diff.slice(0, 2)).toMatchObject([
      { pointer: '/from', after: '2026-11-30T12:00:00.000Z' },
      { pointer: '/to', after: '2026-11-30T12:01:00.000Z' },
    ])
    await summary.stop()
  })

  test('the timer writes it, and a quiet time writes nothing (platform 9)', async () => {
    const before = (await summaries(store.db)).length
    const summary = createSecuritySummary({ db: store.db, log: testLog(), everyMs: 20 })
    await sleep(60)
    expect(await summaries(store.db)).toHaveLength(before)
    summary.count('UNAUTHENTICATED')
    await expect.poll(async () => (await summaries(store.db)).length).toBe(before + 1)
    await summary.stop()
  })

  test('a stop writes what is left (platform 9)', async () => {
    const summary = createSecuritySummary({ db: store.db, log: testLog() })
    summary.count('TOKEN_EXPIRED')
    await summary.stop()
    expect(countsOf((await summaries(store.db)).at(-1))).toEqual({ TOKEN_EXPIRED: 1 })
  })

  test('counts survive a database that is away (platform 9)', async () => {
    let isAway = true
    const db: Db = {
      ...store.db,
      write: (scope, work) =>
        isAway ? Promise.reject(new Error('away')) : store.db.write(scope, work),
    }
    const log = testLog()
    const summary = createSecuritySummary({ db, log, everyMs: 20 })
    summary.count('TOKEN_EXPIRED')
    await expect.poll(() => log.lines.length).toBeGreaterThan(1)
    summary.count('TOKEN_EXPIRED')
    isAway = false
    await summary.stop()
    expect(countsOf((await summaries(store.db)).at(-1))).toEqual({ TOKEN_EXPIRED: 2 })
  })
})
