import { expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import {
  type IdempotencyScope,
  KEPT_HOURS,
  keepAnswer,
  keptAnswer,
  lockKey,
} from './idempotency.ts'
import { sql } from './sql.ts'

const SCOPE = { rows: 'ALL', subject: 'dev:paul' } as const
const keyOf = (key: string, overrides: Partial<IdempotencyScope> = {}): IdempotencyScope => ({
  ...{ subject: 'dev:paul', method: 'POST', path: '/api/v1/contracts', key },
  ...overrides,
})
const ANSWER = {
  ...{
    requestHash: 'h',
    status: 201,
    headers: { location: '/x' },
    body: '{"id":"ctr_1","note":"€"}',
  },
}

eachStore((store) => {
  const kept = (scope: IdempotencyScope) =>
    store.db.write({ rows: 'NONE', subject: scope.subject }, (tx) => keptAnswer(tx, scope))

  test('an answer is kept for subject, method, path and key, byte by byte', async () => {
    await store.db.write(SCOPE, (tx) => keepAnswer(tx, keyOf('k'), ANSWER))
    expect(await kept(keyOf('k'))).toEqual(ANSWER)
    for (const other of [
      keyOf('K'),
      keyOf('k', { method: 'PATCH' }),
      keyOf('k', { path: '/api/v1/contracts/' }),
      keyOf('k', { subject: 'dev:eva' }),
    ]) {
      expect(await kept(other), JSON.stringify(other)).toBeUndefined()
    }
  })

  test('nobody reads the answer of another subject, whatever it asks for', async () => {
    await store.db.write(SCOPE, (tx) => keepAnswer(tx, keyOf('secret'), ANSWER))
    const seen = await store.db.write({ rows: 'ALL', subject: 'dev:eva' }, (tx) =>
      keptAnswer(tx, keyOf('secret')),
    )
    expect(seen).toBeUndefined()
  })

  test('an answer past its time is forgotten, one just before it is not', async () => {
    for (const [key, hours] of [
      ['old', KEPT_HOURS + 0.01],
      ['young', KEPT_HOURS - 0.01],
    ] as const) {
      await store.db.write(SCOPE, async (tx) => {
        await tx.run(sql`
          insert into idempotency (subject, method, path, key, request_hash, status, headers, body, stored_at)
          values ('dev:paul', 'POST', '/api/v1/contracts', ${key}, 'h', 200, '{}', '',
                  clock_timestamp() - make_interval(secs => ${hours * 3_600}))`)
      })
    }
    expect(await kept(keyOf('old'))).toBeUndefined()
    expect(await kept(keyOf('young'))).toMatchObject({ status: 200 })
    await store.db.write(SCOPE, (tx) => keepAnswer(tx, keyOf('old'), ANSWER))
    expect(await kept(keyOf('old'))).toEqual(ANSWER)
  })

  test('an answer exists with its transaction and not without it', async () => {
    const failing = store.db.write(SCOPE, async (tx) => {
      await keepAnswer(tx, keyOf('half'), ANSWER)
      throw new Error('after keeping')
    })
    await expect(failing).rejects.toThrow('after keeping')
    expect(await kept(keyOf('half'))).toBeUndefined()
  })

  test('a key is locked until its transaction ends', async () => {
    expect(await store.db.write(SCOPE, (tx) => lockKey(tx, keyOf('free')))).toBe(true)
    expect(await store.db.write(SCOPE, (tx) => lockKey(tx, keyOf('free')))).toBe(true)
  })

  test.runIf(store.kind === 'postgres')(
    'the same key is not had twice at once, another one is',
    async () => {
      const held = Promise.withResolvers<void>()
      const free = Promise.withResolvers<void>()
      const first = store.db.write(SCOPE, async (tx) => {
        expect(await lockKey(tx, keyOf('busy'))).toBe(true)
        held.resolve()
        await free.promise
      })
      await held.promise
      const tried = (scope: IdempotencyScope) => store.db.write(SCOPE, (tx) => lockKey(tx, scope))
      expect(await tried(keyOf('busy'))).toBe(false)
      expect(await tried(keyOf('busy', { subject: 'dev:eva' }))).toBe(true)
      expect(await tried(keyOf('other'))).toBe(true)
      free.resolve()
      await first
      expect(await tried(keyOf('busy'))).toBe(true)
    },
  )
})
