import { describe, expect, test } from 'vitest'
import { eachStore } from '../../../test/stores.ts'
import { nowSeconds, SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS } from '../lifetimes.ts'
import { IDENTITY_MIGRATIONS } from '../migrate-identity.ts'
import { adapterOver } from './adapter.ts'
import { artifactByUid, dropSession, keepArtifact, prolongSession, purgeExpired } from './store.ts'

const NO_ROWS = { rows: 'NONE' } as const
let serial = 0
const newId = (): string => `id-${++serial}-${'x'.repeat(30)}`

eachStore(
  (store) => {
    const adapter = (kind: string) => adapterOver(store.db, async () => undefined)(kind)
    const later = (seconds = 60): number => nowSeconds() + seconds

    describe('consumption', () => {
      test('of fifty at once exactly one is first, and the others end the whole family', async () => {
        const [id, grantId] = [newId(), newId()]
        await adapter('Grant').upsert(grantId, { exp: later() }, 60)
        await adapter('AuthorizationCode').upsert(id, { grantId, exp: later() }, 60)
        await adapter('RefreshToken').upsert(newId(), { grantId, exp: later() }, 60)
        const outcomes = await Promise.allSettled(
          Array.from({ length: 50 }, () => adapter('AuthorizationCode').consume(id)),
        )
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect(await adapter('Grant').find(grantId)).toBeUndefined()
      })

      test('is remembered, whatever is saved afterwards', async () => {
        const id = newId()
        await adapter('DeviceCode').upsert(id, { exp: later() }, 60)
        await adapter('DeviceCode').consume(id)
        await adapter('DeviceCode').upsert(id, { exp: later(), accountId: 'a' }, 60)
        expect(await adapter('DeviceCode').find(id)).toMatchObject({
          ...{ accountId: 'a', consumed: expect.any(Number) },
        })
      })
    })

    describe('kinds', () => {
      test('keep apart: the id of a refresh token finds no code', async () => {
        const id = newId()
        await adapter('RefreshToken').upsert(id, { exp: later() }, 60)
        expect(await adapter('AuthorizationCode').find(id)).toBeUndefined()
        expect(await adapter('RefreshToken').find(id)).toMatchObject({ jti: id })
      })

      test('a session is found by its name without its id; a device code by what people type', async () => {
        const [id, uid] = [newId(), newId()]
        await adapter('Session').upsert(id, { exp: later(), uid, jti: id }, 60)
        const session = await adapter('Session').findByUid(uid)
        expect(session).toMatchObject({ uid })
        expect(JSON.stringify(session)).not.toContain(id)
        await adapter('DeviceCode').upsert(id, { exp: later(), jti: id, userCode: 'BCDF' }, 60)
        expect(await adapter('DeviceCode').findByUserCode('BCDF')).toMatchObject({ jti: id })
      })
    })

    describe('sessions', () => {
      async function sessionAt(loginTs: number, expiresAt: number): Promise<string> {
        const uid = newId()
        const payload = { uid, loginTs, authorizations: { 'tfs-ops': { grantId: `g ${uid}` } } }
        await store.db.write(NO_ROWS, (tx) =>
          keepArtifact(tx, { kind: 'Session', id: newId(), payload, expiresAt }),
        )
        return uid
      }
      const expiryOf = async (uid: string) =>
        (await store.db.read(NO_ROWS, (read) => artifactByUid(read, 'Session', uid)))?.expiresAt

      test('use prolongs them up to their absolute end and not beyond; what is over stays over', async () => {
        const now = nowSeconds()
        const young = await sessionAt(now - 60, now + 60)
        const old = await sessionAt(now - SESSION_MAX_SECONDS + 120, now + 60)
        const over = await sessionAt(now - 60, now - 1)
        await store.db.write(NO_ROWS, async (tx) => {
          for (const uid of [young, old, over]) await prolongSession(tx, uid, now)
        })
        expect(await expiryOf(young)).toBe(now + SESSION_IDLE_SECONDS)
        expect(await expiryOf(old)).toBe(now + 120)
        expect(await expiryOf(over)).toBe(now - 1)
      })

      test('end with everything that they gave to any client', async () => {
        const uid = await sessionAt(nowSeconds(), later())
        const token = newId()
        await adapter('RefreshToken').upsert(token, { grantId: `g ${uid}`, exp: later() }, 60)
        await store.db.write(NO_ROWS, (tx) => dropSession(tx, uid))
        expect(await expiryOf(uid)).toBeUndefined()
        expect(await adapter('RefreshToken').find(token)).toBeUndefined()
      })
    })

    test('what expired long ago is removed, the rest stays', async () => {
      const [gone, kept] = [newId(), newId()]
      await adapter('Interaction').upsert(gone, { exp: nowSeconds() - 100 }, 1)
      await adapter('Interaction').upsert(kept, { exp: nowSeconds() - 10 }, 1)
      await store.db.write(NO_ROWS, (tx) => purgeExpired(tx, nowSeconds() - 50))
      expect(await adapter('Interaction').find(gone)).toBeUndefined()
      expect(await adapter('Interaction').find(kept)).toBeDefined()
    })
  },
  { migrations: IDENTITY_MIGRATIONS },
)
