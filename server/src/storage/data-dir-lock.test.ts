import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './data-dir-lock.ts'

const MODULE = new URL('./data-dir-lock.ts', import.meta.url).href
const PROGRAM = `
  const { lockDataDir } = await import(${JSON.stringify(MODULE)})
  try {
    lockDataDir(process.argv[1])
    console.log('held')
    process.stdin.resume()
  } catch (error) {
    console.log(error.message)
    process.exit(1)
  }`

interface Contender {
  readonly process: ChildProcess
  readonly said: string
}

let parent: string
let dataDir: string
const started: ChildProcess[] = []

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tfs-lock-'))
  dataDir = join(parent, 'data')
})
afterEach(async () => {
  await Promise.all(started.splice(0).map(kill))
  rmSync(parent, { recursive: true })
})

async function contender(): Promise<Contender> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  started.push(child)
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, said: said.toString().trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test('a second process is refused with one line that names the first', async () => {
  const first = await contender()
  expect(first.said).toBe('held')
  const second = await contender()
  expect(second.said).toBe(
    `TFS_DATA_DIR: ${dataDir} is in use by process ${first.process.pid}; ` +
      'stop that process or choose another directory.',
  )
  expect(() => lockDataDir(dataDir)).toThrow(`process ${first.process.pid}`)
})

test('kill -9 leaves the directory free, time after time', async () => {
  for (let n = 0; n < 5; n++) {
    const holder = await contender()
    expect(holder.said).toBe('held')
    await kill(holder.process)
  }
})

test('of many that start at once exactly one holds it, also after kill -9', async () => {
  for (let round = 0; round < 3; round++) {
    const all = await Promise.all(Array.from({ length: 6 }, contender))
    const holders = all.filter(({ said }) => said === 'held')
    expect(holders).toHaveLength(1)
    await Promise.all(all.map((one) => kill(one.process)))
  }
})

test('one process does not hold it twice, and gives it back', () => {
  const lock = lockDataDir(dataDir)
  expect(() => lockDataDir(dataDir)).toThrow(`process ${process.pid}`)
  lock.release()
  lock.release()
  lockDataDir(dataDir).release()
})

test('a new directory is for its owner only, those above it too', () => {
  dataDir = join(parent, 'above', 'data')
  lockDataDir(dataDir).release()
  for (const folder of [dataDir, join(parent, 'above')]) {
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  }
})
