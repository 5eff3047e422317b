import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from './test/tfs-process.ts'

interface Told {
  readonly code: unknown
  readonly stderr: string
}

function told(error: string, env: Readonly<Record<string, string>> = {}): Promise<Told> {
  const script = `
    const { reportFailure } = await import(${JSON.stringify(join(ROOT, 'cli/failure.ts'))})
    reportFailure(${error})`
  return new Promise((resolve) => {
    const args = ['--input-type=module', '--eval', script]
    execFile(process.execPath, args, { env }, (failed, _stdout, stderr) =>
      resolve({ code: failed?.code, stderr }),
    )
  })
}

describe('platform 1: a failure is one line and exit 1', () => {
  test.each([
    ['of several lines the first', `new Error('first\\nsecond')`, 'first'],
    [
      'of several addresses each',
      `new AggregateError([new Error('connect ::1'), new Error('connect 127.0.0.1')])`,
      'connect ::1; connect 127.0.0.1',
    ],
    ['without a message the kind', `new TypeError('')`, 'TypeError'],
    ['of what is no error its text', `'text'`, 'text'],
  ])('%s', async (_name, error, line) => {
    expect(await told(error)).toEqual({ code: 1, stderr: `tfs: ${line}\n` })
  })

  test('a stack only for who debugs', async () => {
    const { stderr } = await told(`new Error('first')`, { LOG_LEVEL: 'debug' })
    expect(stderr).toMatch(/^tfs: first\nError: first\n\s+at /)
  })
})
