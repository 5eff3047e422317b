import { readFile } from 'node:fs/promises'
import {
  type Checkpoint,
  type ExportFault,
  type Verification,
  verifyExport,
} from '../server/src/audit-trail/verify-export.ts'
import { checkpointsIn, expectedIn } from './checkpoints-in.ts'
import { linesIn } from './lines-in.ts'
import { progressOn } from './progress.ts'

export interface VerifyFiles {
  readonly checkpoints?: string
  readonly expect?: string
  readonly publicKey?: string
}

type Proved = Extract<Verification, { readonly ok: true }>

/** Says in one paragraph what was proved; throws with the first bad entry otherwise. */
export async function verifyFile(file: string, given: VerifyFiles): Promise<string> {
  const checkpoints = given.checkpoints && checkpointsIn(await textOf(given.checkpoints))
  const progress = progressOn(process.stderr, 'entries')
  let verified: Verification
  try {
    verified = await verifyExport(linesIn(file), {
      ...(checkpoints && { checkpoints }),
      ...(given.expect !== undefined && { expect: expectedIn(given.expect) }),
      ...(given.publicKey !== undefined && { publicKey: await textOf(given.publicKey) }),
      onProgress: progress.show,
    })
  } finally {
    progress.clear()
  }
  if (!verified.ok)
    throw new Error(`${file} is not what was recorded: ${faultText(verified.fault)}.`)
  return provedText(verified, checkpoints || [])
}

function faultText({ line, seq, id, wrong }: ExportFault): string {
  const entry = seq === undefined ? '' : `entry ${seq}${id === undefined ? '' : ` (${id})`}, `
  return `${entry}line ${line}: ${wrong}`
}

function provedText(proved: Proved, checkpoints: readonly Checkpoint[]): string {
  const { entries, from, to, head, signedTo, signaturesChecked, newerCheckpoints } = proved
  const extent =
    entries === 0
      ? 'It holds no entries.'
      : `Entries ${from} to ${to}: none was changed, is missing, was added, swapped or cut off.`
  const vouched =
    signedTo === undefined
      ? 'No checkpoint vouches for them: the whole chain could have been written anew. Give --checkpoints and --public-key.'
      : `Checkpoints vouch for everything up to entry ${signedTo}${signedTo < to ? `; what follows up to entry ${to} came later` : ''}.`
  return [
    extent,
    vouched,
    ...(signedTo !== undefined && !signaturesChecked
      ? ['Their signatures were not checked: give --public-key.']
      : []),
    ...(newerCheckpoints > 0
      ? [
          `${newerCheckpoints} of ${checkpoints.length} checkpoints are newer than this export; --expect tells an old copy.`,
        ]
      : []),
    ...(from > 1 ? [`What came before entry ${from} is not part of this export.`] : []),
    `Last: ${to}:${head}`,
  ].join('\n')
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8')
}
