import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MIGRATIONS, storeOf } from '../test/stores.ts'
import { readConfig } from './config.ts'
import { type OpenedStore, type ServingGate, servingGate } from './serving-gate.ts'
import { SqlFault, unavailable } from './storage/failures.ts'
import { pendingMigrations } from './storage/migrate.ts'
import { sql } from './storage/sql.ts'
import type { Db } from './storage/tx.ts'

const config = readConfig({}, 'serve')
const ONE = sql`select 1 as one`

let gate: ServingGate | undefined
beforeEach(() => {
  // The gate tries again after seconds; nothing else is to stand still.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  gate?.stop()
  vi.useRealTimers()
})

const RETRY_MS = 2_000
const laterFit = async ({ fit }: ServingGate): Promise<void> => {
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  await fit
}

/** The store as it is, except for what goes wrong the first time it is asked. */
function misbehaving(db: Db, parts: Partial<Db> & Partial<OpenedStore>): OpenedStore {
  return {
    db: { ...db, ...parts },
    engine: undefined,
    pendingMigrations: parts.pendingMigrations ?? (() => pendingMigrations(db, MIGRATIONS)),
    close: async () => undefined,
  }
}

function opened(store: OpenedStore) {
  const unservable: Error[] = []
  gate = servingGate(store, config, (error) => unservable.push(error))
  return { gate, unservable }
}

const once = <Answer>(first: Error, then: () => Promise<Answer>): (() => Promise<Answer>) => {
  let isFirst = true
  return async () => {
    if (!isFirst) return then()
    isFirst = false
    throw first
  }
}

const refused = (code: string): SqlFault =>
  new SqlFault('permission denied', {
    sqlState: code,
    constraint: undefined,
    table: undefined,
    column: undefined,
  })

describe('platform 1: nothing is served before the database was found fit', () => {
  const store = storeOf('embedded')

  test('a fit database is served at once', async () => {
    const { gate } = opened(misbehaving(store.db, {}))
    expect(gate.waitsFor()).toBeDefined()
    await gate.try()
    expect(gate.waitsFor()).toBeUndefined()
    await gate.fit
    expect(await gate.db.read({ rows: 'NONE' }, (read) => read.one(ONE))).toEqual({ one: 1 })
  })

  test.each([
    ['away at the first question', 'pendingMigrations'],
    ['away while the role is checked', 'read'],
    ['away while the mode is stamped', 'write'],
  ] as const)('503 while it is %s, then it is served by itself', async (_name, when) => {
    const away = unavailable('The database cannot be reached (57P03).')
    const { db } = store
    const { gate, unservable } = opened(
      misbehaving(db, {
        ...(when === 'pendingMigrations' && {
          pendingMigrations: once(away, () => pendingMigrations(db, MIGRATIONS)),
        }),
        ...(when === 'read' && { read: onceRefused(db, 'read', away) }),
        ...(when === 'write' && { write: onceRefused(db, 'write', away) }),
      }),
    )
    await gate.try()
    expect(gate.waitsFor()).toContain('cannot be reached')
    for (const ask of ['read', 'snapshot', 'write'] as const) {
      await expect(gate.db[ask]({ rows: 'ALL' }, async () => 1)).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        headers: { 'retry-after': '2' },
      })
    }
    await laterFit(gate)
    expect(gate.waitsFor()).toBeUndefined()
    expect(await gate.db.read({ rows: 'NONE' }, async () => 'served')).toBe('served')
    expect(unservable).toEqual([])
  })

  test('missing rights wait for `tfs migrate`', async () => {
    const { gate } = opened(
      misbehaving(store.db, { write: onceRefused(store.db, 'write', refused('42501')) }),
    )
    await gate.try()
    expect(gate.waitsFor()).toContain('tfs migrate')
    await laterFit(gate)
  })

  test('a wrong database stops the start, and later the process', async () => {
    const wrong = new Error('This database was first served in token mode')
    const failing = async (): Promise<never> => {
      throw wrong
    }
    await expect(opened(misbehaving(store.db, { write: failing })).gate.try()).rejects.toBe(wrong)
    const { gate, unservable } = opened(
      misbehaving(store.db, {
        write: failing,
        pendingMigrations: once(unavailable('away'), async () => []),
      }),
    )
    await gate.try()
    await vi.advanceTimersByTimeAsync(RETRY_MS)
    await vi.waitFor(() => expect(unservable).toEqual([wrong]))
    expect(gate.waitsFor()).toBeDefined()
  })
})

/** `read` and `write` are generic, so each is handed on as it is. */
function onceRefused<Name extends 'read' | 'write'>(db: Db, name: Name, error: Error): Db[Name] {
  let isFirst = true
  const asked: Db['read'] & Db['write'] = async (scope, work) => {
    if (isFirst) {
      isFirst = false
      throw error
    }
    return db[name](scope, work as never)
  }
  return asked as Db[Name]
}
