import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeOf } from '../../test/stores.ts'
import { canonicalJson } from '../base/canonical-json.ts'
import { sha256Hex } from '../base/digest.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { ExportEntry, ExportLine } from './export-line.ts'
import { chainHashOf } from './record.ts'
import { type SignedTrail, signedTrail } from './test/signed-trail.ts'
import { each, exportedLines, work } from './test/trail.ts'
import { type VerifyOptions, verifyExport } from './verify-export.ts'

const store = storeOf('embedded')
const PERSONAL = { partyId: 'pty_1', pointers: ['/person'] }

let trail: SignedTrail
let early: { lines: string[]; checkpoint: Checkpoint }
let lines: string[]
let last: Checkpoint
let proof: VerifyOptions

beforeAll(async () => {
  trail = await signedTrail(store.db)
  await work(store.db, 'one', {
    diff: [{ pointer: '/person/lastName', before: null, after: 'Sömmer\u2028 "x"' }],
    personal: PERSONAL,
  })
  await work(store.db, 'two', { diff: [{ pointer: '/amount', before: 1.5, after: [1, null] }] })
  early = { checkpoint: await trail.seal(), lines: await exportedLines(store.db) }
  await work(store.db, 'three', { refusedWith: 'FOUR_EYES_SAME_USER' })
  await work(store.db, 'four')
  last = await trail.seal()
  lines = await exportedLines(store.db, { personal: true })
  proof = { publicKey: trail.checkpoints.publicKeyPem, checkpoints: trail.filed() }
})
afterAll(() => trail.remove())

const parsed = (): ExportLine[] => lines.map((line) => JSON.parse(line) as ExportLine)
const isEntry = (line: ExportLine): line is ExportEntry => line.kind === 'entry'
const entryAt = (seq: number): number =>
  parsed().findIndex((line) => isEntry(line) && line.seq === seq)
const verified = (changed: readonly string[], options: VerifyOptions = proof) =>
  verifyExport(each(changed), options)

/** What a forger without the key can do: write the whole file anew, with all hashes in order. */
function forged(changed: readonly ExportLine[]): string[] {
  let [seq, hash] = [0, '0'.repeat(64)]
  let entries = 0
  const body = changed.flatMap((line): ExportLine[] => {
    if (line.kind === 'end') return []
    if (!isEntry(line)) return [line]
    seq += 1
    entries += 1
    hash = chainHashOf(seq, hash, line.entry)
    return [{ ...line, seq, hash }]
  })
  const [begin, ...rest] = body
  const written = [{ ...begin, to: seq }, ...rest].map((line) => canonicalJson(line))
  const sha256 = sha256Hex(written.map((line) => `${line}\n`).join(''))
  return [...written, canonicalJson({ kind: 'end', entries, sha256 })]
}

test('an export proves itself: every entry, signed to the last one (platform 9)', async () => {
  expect(await verified(lines)).toEqual({
    ok: true,
    from: 1,
    to: 4,
    entries: 4,
    head: last.hash,
    signedTo: 4,
    signaturesChecked: true,
    newerCheckpoints: 0,
  })
  expect(await verified(lines, {})).toMatchObject({ ok: true, signaturesChecked: false })
})

describe('what a changed file shows (rule 20)', () => {
  test('any byte that is changed, whichever it is (rule 20)', async () => {
    const text = lines.join('\n')
    const unseen: string[] = []
    for (let at = 0; at < text.length; at++) {
      const flipped = String.fromCharCode(text.charCodeAt(at) ^ 1)
      const other = [flipped, '0', ' ', '\n', '', '\u00e9'][at % 6] as string
      const changed = text.slice(0, at) + (other === text[at] ? flipped : other)
      // The export alone gives it away; no checkpoint is needed for that.
      const verified = await verifyExport(each((changed + text.slice(at + 1)).split('\n')))
      if (verified.ok) unseen.push(text.slice(at - 20, at + 20))
    }
    expect(unseen).toEqual([])
  })

  test('an entry that was changed is named (rule 20)', async () => {
    const changed = [...lines]
    const at = entryAt(3)
    changed[at] = (lines[at] as string).replace('"three"', '"trois"')
    const { entry } = parsed()[at] as ExportEntry
    expect(await verified(changed)).toEqual({
      ok: false,
      fault: {
        line: at + 1,
        seq: 3,
        id: entry?.id,
        wrong: 'the entry, its number or what stands before it was changed',
      },
    })
  })

  test('any line that is removed (rule 20)', async () => {
    for (const at of lines.keys()) {
      expect(await verified(lines.toSpliced(at, 1)), `line ${at + 1}`).toMatchObject({ ok: false })
    }
    expect(await verified(lines.toSpliced(entryAt(3), 1))).toMatchObject({
      fault: { seq: 4, wrong: 'entry 3 is missing before it' },
    })
  })

  test('any line that is added or doubled (rule 20)', async () => {
    for (const at of lines.keys()) {
      const doubled = lines.toSpliced(at, 0, lines[at] as string)
      // A checkpoint said twice says nothing new, but it was not there.
      expect(await verified(doubled), `line ${at + 1}`).toMatchObject({ ok: false })
    }
    expect(await verified([...lines, lines[entryAt(1)] as string])).toMatchObject({ ok: false })
  })

  test('any two lines that are swapped (rule 20)', async () => {
    for (const one of lines.keys()) {
      for (const other of lines.keys()) {
        if (other <= one) continue
        const swapped = lines.with(one, lines[other] as string).with(other, lines[one] as string)
        expect(await verified(swapped), `lines ${one + 1}, ${other + 1}`).toMatchObject({
          ok: false,
        })
      }
    }
  })

  test('a file that is cut off, wherever (rule 20)', async () => {
    for (const at of lines.keys()) {
      expect(await verified(lines.slice(0, at)), `after ${at} lines`).toMatchObject({ ok: false })
    }
    expect(await verified(lines.slice(0, entryAt(3)))).toMatchObject({
      fault: { seq: 3, wrong: 'the export was cut off: entries 3 to 4 are missing' },
    })
  })
})

describe('what a forger shows who writes all hashes anew (rule 20)', () => {
  const entries = () => parsed().filter((line) => line.kind !== 'checkpoint')
  const withoutThird = () => entries().filter((line) => !isEntry(line) || line.seq !== 3)
  const changedSecond = () =>
    entries().map((line) =>
      isEntry(line) && line.seq === 2 && line.entry
        ? { ...line, entry: { ...line.entry, username: 'someone else' } }
        : line,
    )

  test.each<[string, () => ExportLine[]]>([
    ['an entry less', withoutThird],
    ['an entry changed', changedSecond],
    ['the last entry less', () => entries().filter((line) => !isEntry(line) || line.seq !== 4)],
  ])('%s is found by the checkpoints, and only by them (rule 20)', async (_, made) => {
    expect(await verified(forged(made()), {})).toMatchObject({ ok: true, signedTo: undefined })
    expect(await verified(forged(made()))).toMatchObject({ ok: false })
    expect(await verified(forged(made()), { checkpoints: trail.filed() })).toMatchObject({
      ok: false,
    })
    expect(await verified(forged(made()), { publicKey: proof.publicKey })).toMatchObject({
      fault: { wrong: 'no checkpoint vouches for any of these entries' },
    })
  })

  test('checkpoints signed by another key are refused (rule 20)', async () => {
    const other = await signedTrail(store.db)
    const { publicKeyPem } = other.checkpoints
    other.remove()
    expect(await verified(lines, { ...proof, publicKey: publicKeyPem })).toMatchObject({
      fault: { wrong: expect.stringContaining('which was not given') },
    })
    expect(
      await verified(lines, { ...proof, publicKey: publicKeyPem + trail.checkpoints.publicKeyPem }),
    ).toMatchObject({ ok: true })
  })

  test('a checkpoint whose words were changed is refused (rule 20)', async () => {
    const changed = trail.filed().map((checkpoint) => ({ ...checkpoint, seq: 4, hash: last.hash }))
    expect(await verified(lines, { ...proof, checkpoints: changed })).toMatchObject({
      fault: { wrong: expect.stringContaining('is not signed by its key') },
    })
  })
})

describe('an old copy (rule 20)', () => {
  test('is whole by itself, and found by the checkpoint that is expected (platform 9)', async () => {
    expect(await verified(early.lines)).toMatchObject({ ok: true, newerCheckpoints: 1 })
    expect(await verified(early.lines, { ...proof, expect: last })).toMatchObject({
      fault: {
        seq: 3,
        wrong: 'this is an old copy: it ends with entry 2, but entry 4 is expected',
      },
    })
    expect(await verified(lines, { ...proof, expect: early.checkpoint })).toMatchObject({
      ok: true,
    })
  })

  test('that says it is new is found by the file of checkpoints (rule 20)', async () => {
    const [begin, ...rest] = early.lines.map((line) => JSON.parse(line) as ExportLine)
    const renewed = forged([{ ...begin, at: '2999-01-01T00:00:00.000Z' } as ExportLine, ...rest])
    expect(await verified(renewed)).toMatchObject({
      fault: { wrong: 'the export ends with entry 2, but entry 4 was signed before it was made' },
    })
  })

  test('another history than the expected one is found (rule 20)', async () => {
    const expect_ = { seq: 2, hash: 'f'.repeat(64) }
    expect(await verified(lines, { ...proof, expect: expect_ })).toMatchObject({
      fault: { seq: 2, wrong: 'the chain has another history than the expected checkpoint' },
    })
  })
})

test('a part of the chain proves itself from its first entry on (platform 9)', async () => {
  const part = await exportedLines(store.db, { from: 3 })
  expect(await verified(part)).toMatchObject({ ok: true, from: 3, to: 4, entries: 2, signedTo: 4 })
  const moved = part.map((line) => line.replace(early.checkpoint.hash, 'f'.repeat(64)))
  expect(await verified(moved)).toMatchObject({ ok: false })
  const nothing = await exportedLines(store.db, { from: 5 })
  expect(await verified(nothing)).toMatchObject({ ok: true, entries: 0 })
})

test('a personal value that is not the recorded one is found (rule 20)', async () => {
  const changed = parsed().map((line) =>
    isEntry(line) && line.personal
      ? { ...line, personal: line.personal.map((value) => ({ ...value, value: 'Winter' })) }
      : line,
  )
  expect(await verified(forged(changed))).toMatchObject({
    fault: { seq: 1, wrong: expect.stringContaining('/person/lastName (after)') },
  })
})

test('nonsense is refused in words, never by a fault of the program (platform 9)', async () => {
  for (const text of [
    '',
    'null',
    '[]',
    '{}',
    '{"kind":"entry"}',
    '{"kind":"export"}',
    '1e999',
    '"',
  ]) {
    expect(await verified([text]), text).toMatchObject({ ok: false, fault: { line: 1 } })
    expect(await verified([lines[0] as string, text]), text).toMatchObject({ ok: false })
  }
  expect(await verified([])).toMatchObject({ fault: { wrong: 'the export is empty' } })
  await expect(verified(lines, { publicKey: 'no key' })).rejects.toThrow('no Ed25519 public key')
})
