import { expect, test } from 'vitest'
import { partnerNamed } from '../../test/contract-stories.ts'
import { eachStore } from '../../test/stores.ts'
import { Problem } from '../base/errors.ts'
import { partnerForContract } from './index.ts'

eachStore((store) => {
  test('a partner is found by staff of the house and by itself, by nobody else (rule 16)', async () => {
    const id = await partnerNamed(store.db, 'A')
    const seen = (scope: Parameters<typeof store.db.read>[0]) =>
      store.db.read(scope, (read) => partnerForContract(read, id))
    const partner = { id, name: 'Partner A', state: 'ACTIVE' }
    expect(await seen({ rows: 'ALL' })).toMatchObject(partner)
    expect(await seen({ rows: 'ROWS', partnerId: id })).toMatchObject(partner)
    expect(await seen({ rows: 'ROWS', partnerId: 'ptn_other' })).toBeUndefined()
    expect(await seen({ rows: 'ROWS', partyId: 'pty_1' })).toBeUndefined()
    expect(await seen({ rows: 'NONE' })).toBeUndefined()
  })

  test('a code is given once', async () => {
    await partnerNamed(store.db, 'ONCE')
    const again = await partnerNamed(store.db, 'ONCE').catch((error: unknown) => error)
    expect(again).toBeInstanceOf(Problem)
    expect((again as Problem).detail).toMatch(/^The code ONCE belongs to another/)
  })
})
