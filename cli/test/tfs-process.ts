import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = join(ROOT, 'cli/tfs.ts')
const LONGEST_START_MS = 120_000
const POLL_MS = 25

export type Env = Readonly<Record<string, string>>

export interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** `tfs` as its user starts it: a process of its own, nothing of our environment but the path. */
export interface TfsProcess {
  readonly pid: number
  readonly finished: Promise<Finished>
  stdout(): string
  stderr(): string
  /** Resolves when the text was written; throws with what was said when the process ended first. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  end(signal?: NodeJS.Signals): Promise<Finished>
}

export function spawnTfs(args: readonly string[], env: Env, folder: string): TfsProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const finished = finishedOf(child, said)
  return {
    pid: child.pid as number,
    finished,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    async says(pattern) {
      const giveUpAt = Date.now() + LONGEST_START_MS
      for (;;) {
        const found = pattern.exec(said.stdout + said.stderr)
        if (found !== null) return found
        const isOver = child.exitCode !== null || child.signalCode !== null
        if (isOver || Date.now() > giveUpAt) {
          child.kill('SIGKILL')
          throw new Error(`tfs ${args.join(' ')} did not say ${pattern}: ${JSON.stringify(said)}`)
        }
        await sleep(POLL_MS)
      }
    },
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return finished
    },
  }
}

async function finishedOf(
  child: ChildProcess,
  said: { readonly stdout: string; readonly stderr: string },
): Promise<Finished> {
  // 'close' comes after the last byte of both outputs.
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, ...said }
}

export function runTfs(args: readonly string[], env: Env, folder: string): Promise<Finished> {
  return spawnTfs(args, env, folder).finished
}

export interface Serving extends TfsProcess {
  readonly baseUrl: string
  readonly metricsUrl: string
}

/** `tfs serve` on free ports, once it listens. */
export async function serveTfs(env: Env, folder: string): Promise<Serving> {
  const metricsPort = await freePort()
  const settings = { PORT: '0', METRICS_PORT: String(metricsPort), ...env }
  const serving = spawnTfs(['serve'], settings, folder)
  const [, baseUrl] = await serving.says(/TFS serves (http:\/\/localhost:\d+)\/api\/v1/)
  return {
    ...serving,
    baseUrl: baseUrl as string,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('No port could be had.')
  return address.port
}
