import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const OWNER_READS = 0o600
const OWNER_ENTERS = 0o700
const OTHERS = 0o077

export async function ensureKeyDir(keyDir: string): Promise<void> {
  await mkdir(keyDir, { recursive: true, mode: OWNER_ENTERS })
  await requirePrivate(keyDir, 'chmod 700')
}

/** Whole or absent, never half: written beside its place, synced, then moved. */
export async function writeSecretFile(path: string, value: unknown): Promise<void> {
  const unfinished = await writtenBeside(path, value)
  await rename(unfinished, path)
}

/** As above, but what is there stays: of two processes at a first start one wins. */
export async function createSecretFile(path: string, value: unknown): Promise<void> {
  const unfinished = await writtenBeside(path, value)
  try {
    await link(unfinished, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}

export async function readSecretFile(path: string): Promise<unknown> {
  await requirePrivate(path, 'chmod 600')
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`TFS_KEY_DIR: ${path} is damaged: restore it, or remove it to start afresh.`, {
      cause: error,
    })
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

async function writtenBeside(path: string, value: unknown): Promise<string> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.new`
  const file = await open(unfinished, 'wx', OWNER_READS)
  try {
    await file.writeFile(`${JSON.stringify(value)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await chmod(unfinished, OWNER_READS)
  await ensureSameDirectoryOnDisk(dirname(path))
  return unfinished
}

async function ensureSameDirectoryOnDisk(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Keys that others could have read are no keys any more: the start stops and says so. */
async function requirePrivate(path: string, remedy: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(path)
  if ((mode & OTHERS) !== 0) {
    throw new Error(
      `TFS_KEY_DIR: ${path} can be read by others (${(mode & 0o777).toString(8)}): ${remedy} it, and rotate the keys.`,
    )
  }
}
