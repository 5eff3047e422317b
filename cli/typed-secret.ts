import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** A terminal, or whatever stands in for one. */
export interface SecretSource {
  readonly input: NodeJS.ReadableStream & { isTTY?: boolean }
  readonly output: NodeJS.WritableStream
}

const TERMINAL: SecretSource = { input: process.stdin, output: process.stderr }

/**
 * A new password: typed twice without being shown, or the first line of standard input. Never an
 * argument: those stand in the list of processes and in the history of the shell.
 */
export async function newPassword(source: SecretSource = TERMINAL): Promise<string> {
  if (source.input.isTTY !== true) return firstLine(source.input)
  const typed = await typedUnseen('Password: ', source)
  const again = await typedUnseen('Once more: ', source)
  if (typed !== again) throw new Error('The two passwords differ; nothing was changed.')
  return typed
}

async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  try {
    for await (const line of lines) return line
  } finally {
    lines.close()
  }
  throw new Error('No password came on standard input.')
}

async function typedUnseen(prompt: string, { input, output }: SecretSource): Promise<string> {
  output.write(prompt)
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: unseen, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    output.write('\n')
  }
}
