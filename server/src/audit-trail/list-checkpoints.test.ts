import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { STORE_KINDS } from '../../test/stores.ts'
import { type SignedTrail, signedTrail } from './test/signed-trail.ts'
import { work } from './test/trail.ts'

describe.each(STORE_KINDS)('GET /audit/checkpoints on %s', (store) => {
  let host: Host
  let trail: SignedTrail
  beforeAll(async () => {
    host = await startHost({ store })
    trail = await signedTrail(host.db)
    for (const id of ['one', 'two', 'three']) {
      await work(host.db, id)
      await trail.seal()
    }
  })
  afterAll(async () => {
    trail.remove()
    await host.close()
  })

  const list = (query = '') => host.as('audra', 'audit:read').get(`/audit/checkpoints${query}`)

  test('200 with what the file outside the database says, newest first (platform 9)', async () => {
    const answer = await list()
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ items: trail.filed().reverse(), nextCursor: null })
  })

  test('200 page by page (platform 8)', async () => {
    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${first.body.nextCursor}`)
    expect([...first.body.items, ...second.body.items]).toEqual(trail.filed().reverse())
    expect(second.body.nextCursor).toBeNull()
  })
})
