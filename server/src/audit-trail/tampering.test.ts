import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore, STORE_KINDS, type TestStore } from '../../test/stores.ts'
import { type SignedTrail, signedTrail } from './test/signed-trail.ts'
import { behindTheBack, chainAll, each, exportedLines, work } from './test/trail.ts'
import { type VerifyOptions, verifyExport } from './verify-export.ts'

const ENTRIES = 8

const idAt = (seq: number): string => `(select entry_id from audit_chain where seq = ${seq})`

describe.each(STORE_KINDS)('tables changed behind the back of the program, on %s', (kind) => {
  let store: TestStore
  let trail: SignedTrail
  beforeEach(async () => {
    store = await openStore(kind)
    trail = await signedTrail(store.db)
    for (let n = 1; n <= ENTRIES; n++) await work(store.db, `item-${n}`)
    await trail.seal()
  })
  afterEach(async () => {
    trail.remove()
    await store.close()
  })

  const verified = async (options: VerifyOptions = {}) =>
    verifyExport(each(await exportedLines(store.db)), {
      publicKey: trail.checkpoints.publicKeyPem,
      checkpoints: trail.filed(),
      ...options,
    })

  test.each([
    ['a value of an entry', `update audit_entry set username = 'nobody' where id = ${idAt(5)}`, 5],
    [
      'the time of an entry',
      `update audit_entry set at = at + interval '1 ms' where id = ${idAt(5)}`,
      5,
    ],
    [
      'the diff of an entry',
      `update audit_entry set diff = '[{"pointer":"","before":1,"after":2}]' where id = ${idAt(5)}`,
      5,
    ],
    ['an entry that is gone', `delete from audit_entry where id = ${idAt(5)}`, 5],
    [
      'an entry that is gone with its link',
      `delete from audit_entry where id = ${idAt(5)}; delete from audit_chain where seq = 5`,
      6,
    ],
    [
      'two entries that were swapped',
      `create temp table swapped as select seq, entry_id from audit_chain where seq in (4, 5);
       update audit_chain set entry_id = entry_id || '-' where seq in (4, 5);
       update audit_chain c set entry_id = (select s.entry_id from swapped s where s.seq = 9 - c.seq)
        where c.seq in (4, 5);
       drop table swapped`,
      4,
    ],
    ['a link with another hash', `update audit_chain set hash = repeat('a', 64) where seq = 5`, 5],
    [
      'an entry slipped in between',
      `update audit_chain set seq = seq + 100 where seq > 5;
       insert into audit_chain (seq, entry_id, hash) values (6, 'aud_forged', repeat('b', 64));
       update audit_chain set seq = seq - 99 where seq > 100`,
      6,
    ],
  ])('%s is found, and where (rule 20)', async (_, change, seq) => {
    expect(await verified()).toMatchObject({ ok: true, signedTo: ENTRIES })
    await store.owner(behindTheBack(change))
    expect(await verified()).toMatchObject({ ok: false, fault: { seq } })
  })

  test('a chain that lost its end is found by the file outside the database (rule 20)', async () => {
    await store.owner(behindTheBack(`delete from audit_chain where seq > 6`))
    expect(await verified()).toMatchObject({
      fault: { wrong: expect.stringContaining(`entry ${ENTRIES} was signed before`) },
    })
  })

  test('a past that was written anew is found, and never signed (rule 20)', async () => {
    await store.owner(
      behindTheBack(`
        update audit_entry set username = 'nobody' where id = ${idAt(2)};
        delete from audit_chain;
        update sequencer_position set from_xid = '0', to_xid = '0', ordinal = 0, top = 0
         where name = 'audit'`),
    )
    await work(store.db, 'later')
    await chainAll(store.db, trail.sequencer)
    await trail.checkpoints.signRest()
    // The chain is consistent in itself again; only what was signed gives it away.
    const unsigned = (await exportedLines(store.db)).filter((line) => !line.includes('signature'))
    expect(unsigned).toHaveLength(ENTRIES + 3)
    expect(await verified()).toMatchObject({ ok: false, fault: { seq: ENTRIES } })
    expect(trail.filed().at(-1)?.seq).toBe(ENTRIES)
    expect(trail.log.lines).toMatchObject([
      { level: 'error', message: expect.stringContaining('no longer holds the last signed') },
    ])
  })
})
