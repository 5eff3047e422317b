import { type Checkpoint, isSigned, type PublicKeys, publicKeysIn } from './checkpoint.ts'
import { ExportRefused } from './export-fault.ts'
import type { ExportBegin } from './export-line.ts'

export interface VouchingOptions {
  /** PEM, one key or several. Without it signatures are not checked. */
  readonly publicKey?: string | undefined
  /** From outside the database. */
  readonly checkpoints?: readonly Checkpoint[] | undefined
  /** What the export must at least reach: an older copy does not. */
  readonly expect?: Pick<Checkpoint, 'seq' | 'hash'> | undefined
}

export interface Vouched {
  /** The last entry that a checkpoint vouches for; undefined where none does. */
  readonly signedTo: number | undefined
  readonly signaturesChecked: boolean
  /** Made after this export, so it says nothing about them. */
  readonly newerCheckpoints: number
}

export interface Vouching {
  /** The chain has this hash after this entry. */
  check(seq: number, hash: string, id?: string): void
  /** A checkpoint that the export brings along, behind the entry that it is about. */
  checkCarried(checkpoint: Checkpoint, seq: number, hash: string): void
  finish(begin: ExportBegin): Vouched
}

/** Holds a chain against what was signed or noted while it grew. */
export function vouchingOf({ publicKey, checkpoints = [], expect }: VouchingOptions): Vouching {
  const keys = publicKey === undefined ? undefined : publicKeysIn(publicKey)
  for (const checkpoint of checkpoints) requireSigned(checkpoint, keys)
  const bySeq = Map.groupBy(checkpoints, ({ seq }) => seq)
  let signedTo: number | undefined

  function check(seq: number, hash: string, id?: string): void {
    if (expect?.seq === seq && expect.hash !== hash) {
      throw new ExportRefused('the chain has another history than the expected checkpoint', {
        seq,
        id,
      })
    }
    for (const checkpoint of bySeq.get(seq) ?? []) {
      requireSame(checkpoint, hash, { seq, id })
      signedTo = seq
    }
  }

  return {
    check,
    checkCarried(checkpoint, seq, hash) {
      if (checkpoint.seq !== seq) {
        throw new ExportRefused('a checkpoint stands at another entry than its own', { seq })
      }
      requireSigned(checkpoint, keys)
      requireSame(checkpoint, hash, { seq })
      signedTo = seq
    },
    finish(begin) {
      requireExpected(begin, expect)
      const beyond = checkpoints.filter(({ seq }) => seq > begin.to)
      const cutOff = beyond.find(({ at }) => at < begin.at)
      if (cutOff !== undefined) {
        throw new ExportRefused(
          `the export ends with entry ${begin.to}, but entry ${cutOff.seq} was signed before it was made`,
          { seq: begin.to + 1 },
        )
      }
      if (keys !== undefined && signedTo === undefined) {
        throw new ExportRefused('no checkpoint vouches for any of these entries')
      }
      return { signedTo, signaturesChecked: keys !== undefined, newerCheckpoints: beyond.length }
    },
  }
}

function requireExpected({ from, to }: ExportBegin, expect: VouchingOptions['expect']): void {
  if (expect === undefined) return
  if (expect.seq > to) {
    throw new ExportRefused(
      `this is an old copy: it ends with entry ${to}, but entry ${expect.seq} is expected`,
      { seq: to + 1 },
    )
  }
  if (expect.seq < from - 1) {
    throw new ExportRefused(
      `the expected entry ${expect.seq} lies before the first one here (${from})`,
    )
  }
}

function requireSame(
  { hash, at }: Checkpoint,
  found: string,
  where: { readonly seq: number; readonly id?: string | undefined },
): void {
  if (hash === found) return
  throw new ExportRefused(`the chain has another history than the checkpoint of ${at}`, where)
}

function requireSigned(checkpoint: Checkpoint, keys: PublicKeys | undefined): void {
  if (keys === undefined || isSigned(checkpoint, keys)) return
  const why = keys.has(checkpoint.keyId)
    ? 'is not signed by its key'
    : `was signed by the key ${checkpoint.keyId}, which was not given`
  throw new ExportRefused(`the checkpoint of ${checkpoint.at} ${why}`, { seq: checkpoint.seq })
}
