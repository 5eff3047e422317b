import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStore, STORE_KINDS, type TestStore } from '../../test/stores.ts'
import { sql } from '../storage/sql.ts'
import { type Checkpoint, isSigned, publicKeysIn } from './checkpoint.ts'
import { KEY_FILE, openCheckpointKey, PUBLIC_KEY_FILE } from './checkpoint-key.ts'
import { CHECKPOINT_EVERY_ENTRIES, CHECKPOINT_EVERY_MS, openCheckpoints } from './checkpoints.ts'
import { createSequencer } from './sequencer.ts'
import { type SignedTrail, signedTrail } from './test/signed-trail.ts'
import { ALL, behindTheBack, chainAll, testLog, work } from './test/trail.ts'

describe.each(STORE_KINDS)('checkpoints on %s', (kind) => {
  let store: TestStore
  let trail: SignedTrail
  const sent: Checkpoint[] = []
  const elsewhere = vi.fn<(checkpoint: Checkpoint) => void>((checkpoint) => {
    sent.push(checkpoint)
  })
  beforeEach(async () => {
    sent.length = 0
    store = await openStore(kind)
    trail = await signedTrail(store.db, elsewhere)
  })
  afterEach(async () => {
    trail.remove()
    await store.close()
  })

  const stored = () =>
    store.db.read(ALL, (read) =>
      read.rows<Checkpoint>(sql`
        select seq, hash, at, key_id as "keyId", signature from audit_checkpoint order by seq, at`),
    )

  test('the first entries are signed at once, in the file, the table and elsewhere (platform 9)', async () => {
    await work(store.db, 'one')
    await chainAll(store.db, trail.sequencer)
    const [checkpoint, ...more] = trail.filed()
    expect(more).toEqual([])
    expect(checkpoint).toMatchObject({ seq: 1, keyId: trail.checkpoints.keyId })
    expect(isSigned(checkpoint as Checkpoint, publicKeysIn(trail.checkpoints.publicKeyPem))).toBe(
      true,
    )
    expect(await stored()).toEqual([checkpoint])
    expect(sent).toEqual([checkpoint])
  })

  test('no more than 1,000 entries go unsigned (platform 9)', async () => {
    await store.db.write(ALL, (tx) =>
      tx.run(sql`
        insert into audit_entry (id, request_id, subject, username, mode, action, outcome)
        select 'many-' || n, 'r', 's', 'u', 'system', 'a', 'DONE' from generate_series(1, 2600) n`),
    )
    await chainAll(store.db, trail.sequencer)
    const seqs = trail.filed().map(({ seq }) => seq)
    for (const [index, seq] of [...seqs, 2600].entries()) {
      expect(seq - (seqs[index - 1] ?? 0)).toBeLessThanOrEqual(CHECKPOINT_EVERY_ENTRIES)
    }
  })

  test('no more than 5 minutes go unsigned, also while nothing is written (platform 9)', async () => {
    await work(store.db, 'one')
    await chainAll(store.db, trail.sequencer)
    await work(store.db, 'two')
    await chainAll(store.db, trail.sequencer)
    expect(trail.filed()).toHaveLength(1)
    const old = trail.filed()[0] as Checkpoint
    const at = new Date(Date.parse(old.at) - CHECKPOINT_EVERY_MS).toISOString()
    writeFileSync(trail.checkpoints.file, `${JSON.stringify({ ...old, at })}\n`)
    const again = await reopened()
    await again.signIfDue()
    expect(trail.filed().map(({ seq }) => seq)).toEqual([1, 2])
    await again.signIfDue()
    expect(trail.filed()).toHaveLength(2)
  })

  const reopened = () =>
    openCheckpoints({ db: store.db, log: trail.log, keyDir: trail.keyDir, elsewhere })

  test('a stop signs what is left (platform 9)', async () => {
    await work(store.db, 'one')
    await chainAll(store.db, trail.sequencer)
    await work(store.db, 'two')
    await chainAll(store.db, trail.sequencer)
    await trail.sequencer.stop()
    expect(trail.filed().at(-1)).toMatchObject({ seq: 2 })
    await trail.sequencer.stop()
    expect(trail.filed()).toHaveLength(2)
  })

  test('two processes that share the directory sign one after the other (platform 9)', async () => {
    await work(store.db, 'one')
    await chainAll(store.db, trail.sequencer)
    await work(store.db, 'two')
    await chainAll(store.db, trail.sequencer)
    const other = createSequencer({ db: store.db, log: trail.log, checkpoints: await reopened() })
    await Promise.all([trail.sequencer.stop(), other.stop()])
    expect(trail.filed().map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('a place elsewhere that fails is told, and stops nothing (platform 9)', async () => {
    elsewhere.mockImplementationOnce(() => {
      throw new Error('away')
    })
    await work(store.db, 'one')
    await trail.seal()
    expect(trail.log.lines).toEqual([
      { level: 'error', message: 'a checkpoint could not be sent elsewhere' },
    ])
    expect(await stored()).toHaveLength(1)
  })

  test('a line that a crash left half written is taken away (platform 9)', async () => {
    await work(store.db, 'one')
    await trail.seal()
    appendFileSync(trail.checkpoints.file, '{"seq":2,"hash":"12')
    await work(store.db, 'two')
    await chainAll(store.db, trail.sequencer)
    await (await reopened()).signRest()
    expect(trail.filed().map(({ seq }) => seq)).toEqual([1, 2])
  })

  test('an older copy of the database is not signed until someone says so (rule 20)', async () => {
    for (const id of ['one', 'two', 'three']) await work(store.db, id)
    await trail.seal()
    const before = trail.filed()
    await store.owner(behindTheBack('delete from audit_chain where seq = 3'))
    const again = await reopened()
    await again.signIfDue()
    await again.signIfDue()
    expect(trail.filed()).toEqual(before)
    expect(trail.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
    renameSync(trail.checkpoints.file, `${trail.checkpoints.file}.before-the-restore`)
    await (await reopened()).signIfDue()
    expect(trail.filed().map(({ seq }) => seq)).toEqual([2])
  })
})

describe('the key', () => {
  test('is made once, for its owner alone, with a public half to give away (platform 1)', async () => {
    const store = await openStore('embedded')
    const trail = await signedTrail(store.db)
    const path = join(trail.keyDir, KEY_FILE)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(trail.keyDir, PUBLIC_KEY_FILE), 'utf8')).toBe(
      trail.checkpoints.publicKeyPem,
    )
    const [first, second] = await Promise.all([1, 2].map(() => openCheckpointKey(trail.keyDir)))
    expect([first?.keyId, second?.keyId]).toEqual([
      trail.checkpoints.keyId,
      trail.checkpoints.keyId,
    ])
    chmodSync(path, 0o644)
    await expect(openCheckpointKey(trail.keyDir)).rejects.toThrow('can be read by others')
    trail.remove()
    await store.close()
  })

  test('two processes at a first start agree on one key (platform 1)', async () => {
    const store = await openStore('embedded')
    const trails = await signedTrail(store.db)
    const keyDir = join(trails.keyDir, 'fresh')
    const keys = await Promise.all([1, 2, 3, 4].map(() => openCheckpointKey(keyDir)))
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(1)
    trails.remove()
    await store.close()
    expect(testLog().lines).toEqual([])
  })
})
