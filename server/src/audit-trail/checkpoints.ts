import { join } from 'node:path'
import type { Log } from '../http/kernel.ts'
import type { Scope } from '../storage/scope.ts'
import type { Db } from '../storage/tx.ts'
import type { Checkpoint } from './checkpoint.ts'
import { appendCheckpoint, CHECKPOINT_FILE, lastCheckpoint } from './checkpoint-file.ts'
import { openCheckpointKey } from './checkpoint-key.ts'
import { type ChainEnd, chainEnd, hashAt, insertCheckpoint } from './checkpoint-store.ts'
import { lockNumbering } from './numbering-store.ts'

export interface CheckpointsOptions {
  readonly db: Db
  readonly log: Log
  /** Holds the key and, beside it, the file of checkpoints. */
  readonly keyDir: string
  /** A second place that nobody here can change. One that fails is covered by the next one. */
  readonly elsewhere?: (checkpoint: Checkpoint) => Promise<void> | void
}

export interface Checkpoints {
  readonly keyId: string
  readonly publicKeyPem: string
  readonly file: string
  /** Signs where the last checkpoint is too old or too far behind. */
  signIfDue(): Promise<void>
  /** Signs whatever is not signed yet. */
  signRest(): Promise<void>
}

/** Platform contract, section 9. */
export const CHECKPOINT_EVERY_MS = 5 * 60_000
export const CHECKPOINT_EVERY_ENTRIES = 1_000
/** Looked at after each batch, so one more batch must still fit. */
const ENTRIES_AHEAD = CHECKPOINT_EVERY_ENTRIES / 2
const WHOLE_TRAIL: Scope = { rows: 'ALL' }

export async function openCheckpoints(options: CheckpointsOptions): Promise<Checkpoints> {
  const { db, log, keyDir, elsewhere } = options
  const key = await openCheckpointKey(keyDir)
  const file = join(keyDir, CHECKPOINT_FILE)
  let last = await lastCheckpoint(file)
  let sending: Promise<void> | undefined
  let isRefused = false

  async function signWhere(isWanted: (end: ChainEnd, last?: Checkpoint) => boolean): Promise<void> {
    const known = await db.read(WHOLE_TRAIL, chainEnd)
    if (known === undefined || !isWanted(known, last)) return
    const signed = await db.write(WHOLE_TRAIL, async (tx) => {
      if (!(await lockNumbering(tx))) return undefined
      // Another process may share the directory, and may have been faster.
      last = await lastCheckpoint(file)
      const end = await chainEnd(tx)
      if (end === undefined || !isWanted(end, last)) return undefined
      if (last !== undefined && (await hashAt(tx, last.seq)) !== last.hash) return refuse(last)
      isRefused = false
      const checkpoint = key.sign({ seq: end.seq, hash: end.hash, at: end.now })
      await appendCheckpoint(file, checkpoint)
      await insertCheckpoint(tx, checkpoint)
      last = checkpoint
      return checkpoint
    })
    if (signed !== undefined) sending = sendElsewhere(signed)
  }

  /** A signature over a rewritten past would make it look whole. */
  function refuse({ seq }: Checkpoint): undefined {
    if (!isRefused) {
      log.error(
        { seq, file },
        'the audit chain no longer holds the last signed checkpoint: the database was changed, or an older copy ' +
          'was restored; nothing is signed until the file of checkpoints is moved away',
      )
    }
    isRefused = true
  }

  async function sendElsewhere(checkpoint: Checkpoint): Promise<void> {
    try {
      await elsewhere?.(checkpoint)
    } catch (error) {
      log.error({ err: error, seq: checkpoint.seq }, 'a checkpoint could not be sent elsewhere')
    }
  }

  return {
    keyId: key.keyId,
    publicKeyPem: key.publicKeyPem,
    file,
    signIfDue: () => signWhere(isDue),
    async signRest() {
      await signWhere((end, signed) => end.seq !== signed?.seq)
      await sending
    },
  }
}

function isDue(end: ChainEnd, last?: Checkpoint): boolean {
  if (last === undefined) return true
  return (
    end.seq - last.seq >= ENTRIES_AHEAD ||
    end.seq < last.seq ||
    Date.parse(end.now) - Date.parse(last.at) >= CHECKPOINT_EVERY_MS
  )
}
