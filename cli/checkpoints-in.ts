import { type Checkpoint, isCheckpoint } from '../server/src/audit-trail/verify-export.ts'

const SHORT = /^(\d{1,15}):([0-9a-f]{64})$/

/** The file that the platform writes, or pages of GET /api/v1/audit/checkpoints, one per line. */
export function checkpointsIn(text: string): Checkpoint[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const found = lines.flatMap((line, index): unknown[] => {
    const value = jsonIn(line, `Line ${index + 1} of the checkpoints`)
    const { items } = (value ?? {}) as { items?: unknown }
    return Array.isArray(items) ? items : [value]
  })
  for (const value of found) {
    if (!isCheckpoint(value)) throw new Error('The file of --checkpoints holds something else too.')
  }
  return found as Checkpoint[]
}

/** `--expect`: what someone noted or was sent earlier. */
export function expectedIn(text: string): Pick<Checkpoint, 'seq' | 'hash'> {
  const [, seq, hash] = SHORT.exec(text) ?? []
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash }
  const value = text.startsWith('{') ? jsonIn(text, '--expect') : undefined
  if (isCheckpoint(value)) return value
  throw new Error('--expect: write <seq>:<hash>, or a whole checkpoint as JSON.')
}

function jsonIn(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${what} cannot be read as JSON.`, { cause: error })
  }
}
