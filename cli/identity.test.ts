import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockDataDir } from '../server/src/storage/data-dir-lock.ts'
import { newPassword } from './typed-secret.ts'

const PROGRAM = `
  const { Command } = await import('commander')
  const { identityCommand } = await import('./commands/identity.ts')
  const { reportFailure } = await import('./failure.ts')
  const argv = ['node', 'tfs', 'identity', ...process.argv.slice(1)]
  await new Command('tfs').addCommand(identityCommand()).parseAsync(argv).catch(reportFailure)`

/** Each start opens the embedded database, which takes seconds on a busy machine. */
const MANY_STARTS_MS = 180_000

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tfs-identity-cli-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function tfsIdentity(args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const node = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', ...args], {
      ...{ cwd: import.meta.dirname, env: { PATH: process.env['PATH'], TFS_DATA_DIR: dataDir } },
    })
    let [out, err] = ['', '']
    node.stdout.on('data', (part) => {
      out += part
    })
    node.stderr.on('data', (part) => {
      err += part
    })
    node.on('error', reject).on('close', (code) => resolve({ code, out, err }))
    node.stdin.end(input)
  })
}

describe('tfs identity users', () => {
  test(
    'a user is added with a password from standard input, changed, and listed',
    async () => {
      const args = ['users', 'add', 'ana', '--permission', 'contract:read', '--partner', 'ptn_1']
      const added = await tfsIdentity(args, 'correct horse battery\n')
      expect(added).toEqual({ code: 0, out: 'User ana can sign in now.\n', err: '' })
      await tfsIdentity(['users', 'grant', 'ana', 'contract:approve'])
      await tfsIdentity(['users', 'disable', 'ana'])
      expect((await tfsIdentity(['users', 'list'])).out).toBe(
        'ana (disabled, partner ptn_1): contract:approve contract:read\n',
      )
      const { out } = await tfsIdentity(['users', 'history', 'ana'])
      expect(out.trim().split('\n')).toHaveLength(3)
      expect(out).toMatch(/cli:\S+ {2}ACCOUNT_DISABLED/)
    },
    MANY_STARTS_MS,
  )

  test.each([
    ['an unknown user', ['users', 'enable', 'bob'], '', 'There is no user "bob".'],
    [
      'an unknown permission',
      ['users', 'grant', 'ana', 'contract:aprove'],
      '',
      '"contract:aprove"',
    ],
    ['a short password', ['users', 'password', 'ana'], 'short\n', 'A password has 12 to 256'],
    ['no password', ['users', 'add', 'eve'], '', 'No password came on standard input.'],
  ])('%s ends in one line and exit 1', async (_name, args, input, line) => {
    const { code, out, err } = await tfsIdentity(args, input)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(line)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  test('one clear line while another process holds the data directory', async () => {
    const lock = lockDataDir(dataDir)
    try {
      const { code, err } = await tfsIdentity(['users', 'list'])
      expect(code).toBe(1)
      expect(err).toMatch(/^tfs: .*in use by process \d+.*\n$/)
    } finally {
      lock.release()
    }
  })
})

describe('tfs identity rotate-keys', () => {
  test('works beside a running process and adds a key', async () => {
    const lock = lockDataDir(dataDir)
    try {
      const { code, out } = await tfsIdentity(['rotate-keys'])
      expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('2 published') })
      expect(await readdir(join(dataDir, 'keys'))).toHaveLength(2)
    } finally {
      lock.release()
    }
  })
})

describe('a new password', () => {
  test('is the first line of what is piped in, blanks and all', async () => {
    const output = new PassThrough()
    expect(await newPassword({ input: Readable.from([' a b \r\nsecond']), output })).toBe(' a b ')
  })

  test('typed at a terminal is asked for twice and never shown', async () => {
    const typed = (first: string, second: string) => {
      const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input })
      const output = new PassThrough()
      let shown = ''
      output.on('data', (part: Buffer) => {
        const text = part.toString()
        shown += text
        if (text === 'Password: ') setImmediate(() => input.write(`${first}\r`))
        if (text === 'Once more: ') setImmediate(() => input.write(`${second}\r`))
      })
      return newPassword({ input, output }).finally(() => expect(shown).not.toContain(first))
    }
    expect(await typed('swordfish', 'swordfish')).toBe('swordfish')
    await expect(typed('swordfish', 'sawfish')).rejects.toThrow('The two passwords differ')
  })
})
