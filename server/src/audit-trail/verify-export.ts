import { createHash } from 'node:crypto'
import { type ExportFault, ExportRefused } from './export-fault.ts'
import type { ExportBegin, ExportEnd, ExportEntry } from './export-line.ts'
import { lineIn, requireBegin } from './read-export-line.ts'
import { chainHashOf } from './record.ts'
import { attachmentFault } from './verify-entry.ts'
import { type Vouched, type VouchingOptions, vouchingOf } from './vouching.ts'

export { type Checkpoint, isCheckpoint } from './checkpoint.ts'
export type { ExportFault } from './export-fault.ts'

export interface VerifyOptions extends VouchingOptions {
  readonly onProgress?: ((done: number, all: number) => void) | undefined
}

export type Verification =
  | { readonly ok: false; readonly fault: ExportFault }
  | (Vouched & {
      readonly ok: true
      readonly from: number
      readonly to: number
      readonly entries: number
      /** The hash of the last entry. */
      readonly head: string
    })

/** Proves an export by itself, without a database and without trusting its maker beyond its key. */
export async function verifyExport(
  lines: AsyncIterable<string>,
  options: VerifyOptions = {},
): Promise<Verification> {
  let line = 0
  try {
    const walk = walkOf(options)
    for await (const text of lines) {
      line += 1
      walk.take(text)
    }
    line += 1
    return walk.finish()
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error
    return { ok: false, fault: { line, ...error.at, wrong: error.message } }
  }
}

interface Walk {
  take(text: string): void
  finish(): Verification
}

function walkOf(options: VerifyOptions): Walk {
  const vouching = vouchingOf(options)
  const digest = createHash('sha256')
  let begin: ExportBegin | undefined
  let seq = 0
  let hash = ''
  let isEnded = false

  function takeEntry(line: ExportEntry, { from, to }: ExportBegin): void {
    const { entry } = line
    const at = { seq: line.seq, id: entry?.id }
    if (line.seq !== seq + 1) throw outOfOrder(line.seq, seq + 1, at)
    if (line.seq > to) throw new ExportRefused(`the export says that it ends with entry ${to}`, at)
    if (entry === null) throw new ExportRefused('the entry is missing from the trail', at)
    if (chainHashOf(line.seq, hash, entry) !== line.hash) {
      throw new ExportRefused('the entry, its number or what stands before it was changed', at)
    }
    const attached = attachmentFault(line, entry)
    if (attached !== undefined) throw new ExportRefused(attached, at)
    seq = line.seq
    hash = line.hash
    vouching.check(seq, hash, entry.id)
    options.onProgress?.(seq - from + 1, to - from + 1)
  }

  function takeEnd(line: ExportEnd, { from, to }: ExportBegin): void {
    if (seq !== to)
      throw new ExportRefused(`entries ${seq + 1} to ${to} are missing`, { seq: seq + 1 })
    if (line.entries !== to - from + 1 || line.sha256 !== digest.digest('hex')) {
      throw new ExportRefused('the file was changed after it was made, though no entry was')
    }
    isEnded = true
  }

  return {
    take(text) {
      const line = lineIn(text)
      if (isEnded) throw new ExportRefused('there is something after the end of the export')
      if (begin === undefined) {
        begin = requireBegin(line)
        seq = begin.from - 1
        hash = begin.previousHash
        vouching.check(seq, hash)
      } else if (line.kind === 'entry') takeEntry(line, begin)
      else if (line.kind === 'checkpoint') vouching.checkCarried(line.checkpoint, seq, hash)
      else if (line.kind === 'end') return takeEnd(line, begin)
      else throw new ExportRefused('there is a second beginning')
      digest.update(`${text}\n`)
    },
    finish() {
      if (begin === undefined) throw new ExportRefused('the export is empty')
      if (!isEnded) throw cutOff(begin, seq)
      return {
        ok: true,
        from: begin.from,
        to: begin.to,
        entries: begin.to - begin.from + 1,
        head: hash,
        ...vouching.finish(begin),
      }
    },
  }
}

function cutOff({ to }: ExportBegin, last: number): ExportRefused {
  const missing = last < to ? `entries ${last + 1} to ${to} are` : 'the end is'
  return new ExportRefused(`the export was cut off: ${missing} missing`, { seq: last + 1 })
}

function outOfOrder(
  found: number,
  expected: number,
  at: Pick<ExportFault, 'seq' | 'id'>,
): ExportRefused {
  return found > expected
    ? new ExportRefused(`entry ${expected} is missing before it`, at)
    : new ExportRefused(`entry ${expected} was expected here: it was added, doubled or swapped`, at)
}
