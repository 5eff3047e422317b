import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Held until `release` or the end of the process, however it ends. */
export interface DataDirLock {
  release(): void
}

const OWNER_ONLY = 0o700
const SQLITE_BUSY = 5

/**
 * One process at a time holds `TFS_DATA_DIR`. The lock is the operating system's own lock on a
 * file, taken through SQLite because Node has no call for it: there is nothing stale to judge after
 * `kill -9`, no moment in which two could both find it free, and it counts across containers.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY })
  const pidFile = join(dataDir, 'lock.pid')
  const lock = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
  try {
    // No journal file and no write: the lock is all that is wanted.
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    throw isBusy(error) ? new Error(heldMessage(dataDir, pidFile)) : error
  }
  writeFileSync(pidFile, `${process.pid}\n`)
  return {
    release() {
      if (!lock.isOpen) return
      rmSync(pidFile, { force: true })
      lock.close()
    },
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function heldMessage(dataDir: string, pidFile: string): string {
  return (
    `TFS_DATA_DIR: ${dataDir} is in use by ${holderOf(pidFile)}; ` +
    'stop that process or choose another directory.'
  )
}

/** Between taking the lock and naming itself the holder has no name for a moment. */
function holderOf(pidFile: string): string {
  try {
    return `process ${readFileSync(pidFile, 'utf8').trim()}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return 'another process'
    }
    throw error
  }
}
