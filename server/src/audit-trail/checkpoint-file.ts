import { type FileHandle, open } from 'node:fs/promises'
import { type Checkpoint, isCheckpoint } from './checkpoint.ts'

export const CHECKPOINT_FILE = 'audit-checkpoints.jsonl'
const OWNER_WRITES = 0o600
/** A line has about 250 bytes. */
const TAIL_BYTES = 4_096
const NEW_LINE = 0x0a

/** One line, on disk when this resolves. */
export async function appendCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const file = await open(path, 'a', OWNER_WRITES)
  try {
    await file.writeFile(`${JSON.stringify(checkpoint)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The newest checkpoint of the file. A line that a crash left half written was never given out. */
export async function lastCheckpoint(path: string): Promise<Checkpoint | undefined> {
  let file: FileHandle
  try {
    file = await open(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return await lastIn(file, path)
  } finally {
    await file.close()
  }
}

async function lastIn(file: FileHandle, path: string): Promise<Checkpoint | undefined> {
  const { size } = await file.stat()
  const start = Math.max(0, size - TAIL_BYTES)
  const tail = Buffer.alloc(size - start)
  await file.read(tail, 0, tail.length, start)
  const whole = tail.lastIndexOf(NEW_LINE) + 1
  if (whole < tail.length) await file.truncate(start + whole)
  const line = tail.subarray(0, whole).toString('utf8').trimEnd().split('\n').at(-1) ?? ''
  if (line === '') return undefined
  const checkpoint: unknown = JSON.parse(line)
  if (isCheckpoint(checkpoint)) return checkpoint
  throw new Error(`${path}: the last line is no checkpoint. Restore the file, or move it away.`)
}
