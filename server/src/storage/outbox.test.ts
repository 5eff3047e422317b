import { expect, test } from 'vitest'
import { eachStore } from '../../test/stores.ts'
import { recordEvent } from './outbox.ts'
import { sql } from './sql.ts'

const EVENT = {
  type: 'contract.approved',
  item: { kind: 'contract', id: 'ctr_1', version: 2 },
  requestId: 'request-1',
}

eachStore((store) => {
  const events = () =>
    store.db.read({ rows: 'ALL' }, (read) =>
      read.rows(sql`
        select id, type, item_kind as kind, item_id as item, item_version as version,
               request_id as "requestId", data from event order by id`),
    )

  test('an event tells ids and a version, never contents (spec 6.1)', async () => {
    await store.db.write({ rows: 'NONE' }, (tx) => recordEvent(tx, EVENT))
    expect(await events()).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
        ...{ type: 'contract.approved', kind: 'contract', item: 'ctr_1', version: 2 },
        ...{ requestId: 'request-1', data: {} },
      },
    ])
  })

  test('an event exists with its transaction and not without it (spec 6.1)', async () => {
    const before = await events()
    const failing = store.db.write({ rows: 'ALL' }, async (tx) => {
      await recordEvent(tx, EVENT)
      throw new Error('after the event')
    })
    await expect(failing).rejects.toThrow('after the event')
    expect(await events()).toEqual(before)
  })

  test('scoped work writes events and reads none', async () => {
    const scope = { rows: 'ROWS', partyId: 'pty_1' } as const
    await store.db.write(scope, async (tx) => {
      await recordEvent(tx, EVENT)
      expect(await tx.rows(sql`select id from event`)).toEqual([])
    })
  })
})
