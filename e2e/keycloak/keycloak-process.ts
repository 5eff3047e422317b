import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { javaProgram } from './java.ts'

const START_LIMIT_MS = 240_000
const STOP_LIMIT_MS = 20_000
const POLL_MS = 250
const PROGRESS_MS = 10_000
const LOG_LINES_SHOWN = 25

export interface Launch {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly logFile: string
  readonly readyUrl: string
  readonly say: (line: string) => void
}

export interface KeycloakProcess {
  stop(): Promise<void>
}

/** Resolves when Keycloak says that it is ready. */
export async function launchKeycloak(launch: Launch): Promise<KeycloakProcess> {
  const log = openSync(launch.logFile, 'a')
  const child = spawn(javaProgram(), launch.args, {
    env: launch.env,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const killWithUs = () => child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const stop = async () => {
    process.off('exit', killWithUs)
    await ended(child)
  }
  try {
    await once(child, 'spawn')
    await ready(child, launch)
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function ready(child: ChildProcess, { readyUrl, logFile, say }: Launch): Promise<void> {
  const began = Date.now()
  let spoken = began
  while (!(await answersOk(readyUrl))) {
    if (hasEnded(child)) throw new Error(`Keycloak ended while starting.\n${await tail(logFile)}`)
    if (Date.now() - began > START_LIMIT_MS) {
      throw new Error(`Keycloak is not ready after ${START_LIMIT_MS} ms.\n${await tail(logFile)}`)
    }
    if (Date.now() - spoken > PROGRESS_MS) {
      spoken = Date.now()
      say(`starting, ${secondsSince(began)} s`)
    }
    await delay(POLL_MS)
  }
  say(`ready after ${secondsSince(began)} s`)
}

function secondsSince(began: number): string {
  return ((Date.now() - began) / 1000).toFixed(1)
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false // not listening yet: the caller asks again until its own limit
  }
}

async function tail(logFile: string): Promise<string> {
  return (await readFile(logFile, 'utf8')).split('\n').slice(-LOG_LINES_SHOWN).join('\n')
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function ended(child: ChildProcess): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await exit
  clearTimeout(insist)
}
