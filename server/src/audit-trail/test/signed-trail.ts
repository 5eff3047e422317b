import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../storage/tx.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { type Checkpoints, openCheckpoints } from '../checkpoints.ts'
import { createSequencer, type Sequencer } from '../sequencer.ts'
import { chainAll, testLog } from './trail.ts'

export interface SignedTrail {
  readonly keyDir: string
  readonly checkpoints: Checkpoints
  readonly sequencer: Sequencer
  readonly log: ReturnType<typeof testLog>
  /** Chains everything and signs the end. */
  seal(): Promise<Checkpoint>
  /** The file outside the database. */
  filed(): Checkpoint[]
  remove(): void
}

/** A trail with a key of its own, in a directory of its own. */
export async function signedTrail(
  db: Db,
  elsewhere?: (checkpoint: Checkpoint) => Promise<void> | void,
): Promise<SignedTrail> {
  const keyDir = mkdtempSync(join(tmpdir(), 'tfs-keys-'))
  const log = testLog()
  const checkpoints = await openCheckpoints({ db, log, keyDir, ...(elsewhere && { elsewhere }) })
  const sequencer = createSequencer({ db, log, checkpoints })
  const filed = (): Checkpoint[] =>
    readFileSync(checkpoints.file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Checkpoint)
  return {
    keyDir,
    checkpoints,
    sequencer,
    log,
    filed,
    async seal() {
      await chainAll(db, sequencer)
      await checkpoints.signRest()
      return filed().at(-1) as Checkpoint
    },
    remove: () => rmSync(keyDir, { recursive: true }),
  }
}
