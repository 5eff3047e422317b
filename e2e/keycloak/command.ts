import { type SpawnOptions, spawn } from 'node:child_process'

export interface Outcome {
  readonly code: number | null
  readonly output: string
}

/** Runs a program to its end. A program that is not there is `missing`, said in one line. */
export async function outcomeOf(
  program: string,
  args: readonly string[],
  missing: string,
  options: SpawnOptions = {},
): Promise<Outcome> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return await new Promise((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? new Error(missing) : error)
    })
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }))
  })
}

export async function hasProgram(program: string, versionFlag: string): Promise<boolean> {
  try {
    await outcomeOf(program, [versionFlag], 'missing')
    return true
  } catch (error) {
    if (error instanceof Error && error.message === 'missing') return false
    throw error
  }
}
