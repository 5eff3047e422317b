import { describe, expect, test, vi } from 'vitest'
import { eachStore, MIGRATIONS } from '../../test/stores.ts'
import type { BearerState } from '../access/bearer/bearer.ts'
import { SqlFault, unavailable } from '../storage/failures.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import type { Db } from '../storage/tx.ts'
import { readinessOf, readinessProbeOf, type Watched } from './readiness.ts'

/** Lets everyone through, or nobody: what must misbehave on purpose. */
const gate = (refusal?: Error): Db =>
  ({
    kind: 'postgres',
    read: async () => {
      if (refusal) throw refusal
    },
  }) as unknown as Db

const watched = (parts: Partial<Watched> = {}): Watched => ({
  db: gate(),
  pendingMigrations: async () => [],
  bearerState: undefined,
  isStopping: () => false,
  ...parts,
})

const keys =
  (parts: Partial<BearerState>): (() => BearerState) =>
  () => ({
    isReady: true,
    isWrongIssuer: false,
    keyCount: 2,
    secondsSinceSuccess: 1,
    lastError: undefined,
    cacheSize: 0,
    hits: 0,
    misses: 0,
    ...parts,
  })

const failing = (error: Error) => async () => {
  throw error
}

describe('readiness says check by check what is missing', () => {
  test('ready: every check is good', async () => {
    expect(await readinessOf(watched({ bearerState: keys({}) }))).toEqual({
      ready: true,
      checks: {
        process: { ok: true, detail: 'Running.' },
        database: { ok: true, detail: 'Answers.' },
        migrations: { ok: true, detail: 'The schema is current.' },
        keys: { ok: true, detail: '2 keys known.' },
      },
    })
  })

  const cases: readonly (readonly [string, Partial<Watched>, Record<string, RegExp>])[] = [
    ['the process stops', { isStopping: () => true }, { process: /stopping/ }],
    [
      'the database is away',
      { pendingMigrations: failing(unavailable('The database cannot be reached (ECONNREFUSED).')) },
      { database: /^Does not answer: The database cannot be reached/ },
    ],
    [
      'migrations are missing',
      { pendingMigrations: async () => ['0001_platform.sql'] },
      { migrations: /^Run tfs migrate: 0001_platform\.sql not applied/ },
    ],
    [
      'the database is newer than the program',
      { pendingMigrations: failing(new Error('The database is newer than this program.')) },
      { migrations: /newer/ },
    ],
    [
      'mode and rights are not checked yet',
      { db: gate(unavailable('The role of DATABASE_URL lacks its rights: run `tfs migrate`.')) },
      { database: /^Is not served yet: .*tfs migrate/ },
    ],
    ['the keys are missing', { bearerState: keys({ isReady: false }) }, { keys: /No keys/ }],
    [
      'discovery names another issuer',
      { bearerState: keys({ isWrongIssuer: true }) },
      { keys: /another issuer/ },
    ],
  ]
  test.each(cases)('not ready while %s', async (_name, parts, expected) => {
    const { ready, checks } = await readinessOf(watched(parts))
    const bad = Object.entries(checks).filter(([, { ok }]) => !ok)
    expect(ready).toBe(false)
    expect(bad.map(([name]) => name)).toEqual(Object.keys(expected))
    for (const [name, { detail }] of bad) expect(detail).toMatch(expected[name] as RegExp)
  })

  test.each([
    new SqlFault('permission denied for table secret_table', {
      sqlState: '42501',
      constraint: undefined,
      table: undefined,
      column: undefined,
    }),
    Object.assign(new Error("ENOENT: no such file, open '/srv/secret/0001.sql'"), {
      code: 'ENOENT',
    }),
    new TypeError('secret is not a function'),
  ])(
    'what the database, the system or a fault said is not told to everyone (%#)',
    async (error) => {
      const readiness = await readinessOf(watched({ pendingMigrations: failing(error) }))
      expect(readiness.ready).toBe(false)
      expect(JSON.stringify(readiness)).not.toContain('secret')
    },
  )

  test('what the provider answered is not told either', async () => {
    const bearerState = keys({ isReady: false, lastError: 'GET http://internal:8080 failed' })
    expect(JSON.stringify(await readinessOf(watched({ bearerState })))).not.toContain('internal')
  })

  test('a database that is silent is not waited for', async () => {
    vi.useFakeTimers()
    try {
      const asked = readinessOf(watched({ pendingMigrations: () => new Promise(() => undefined) }))
      await vi.advanceTimersByTimeAsync(2_000)
      expect((await asked).checks['database']).toEqual({
        ok: false,
        detail: 'Does not answer: no answer within 2 s.',
      })
    } finally {
      vi.useRealTimers()
    }
  })

  test('many who ask at once are one question to the database; a stop is seen at once', async () => {
    let questions = 0
    let stopping = false
    const probe = readinessProbeOf(
      watched({
        pendingMigrations: async () => {
          questions++
          return []
        },
        isStopping: () => stopping,
      }),
    )
    await Promise.all(Array.from({ length: 50 }, () => probe()))
    expect(questions).toBe(1)
    stopping = true
    expect((await probe()).ready).toBe(false)
    expect(questions).toBe(1)
    await vi.waitFor(async () => {
      await probe()
      expect(questions).toBeGreaterThan(1)
    }, 2_000)
  })
})

eachStore((store) => {
  test('a migrated store is ready', async () => {
    const { db } = store
    const asked = { db, pendingMigrations: () => pendingMigrations(db, MIGRATIONS) }
    expect(await readinessOf(watched(asked))).toMatchObject({ ready: true })
  })
})

eachStore(
  (store) => {
    test('an empty store names every migration', async () => {
      const { db } = store
      const asked = { db, pendingMigrations: () => pendingMigrations(db, MIGRATIONS) }
      const { ready, checks } = await readinessOf(watched(asked))
      expect(ready).toBe(false)
      expect(checks['database']?.ok).toBe(true)
      expect(checks['migrations']?.detail).toMatch(/^Run tfs migrate: 0001_platform\.sql, 0002_/)
    })
  },
  { migrations: false },
)
