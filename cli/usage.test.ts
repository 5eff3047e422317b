import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTfs } from './test/tfs-process.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tfs-usage-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('platform 1: the program `tfs`', () => {
  test('--help names every command and exits 0', async () => {
    const { code, stdout, stderr } = await runTfs(['--help'], {}, folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of ['start', 'serve', 'migrate', 'seed']) {
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    }
  })

  test('--help of a command tells its options', async () => {
    const { code, stdout } = await runTfs(['migrate', '--help'], {}, folder)
    expect(code).toBe(0)
    expect(stdout).toContain('--developer')
  })

  test('--version is the one of the package', async () => {
    const { code, stdout } = await runTfs(['--version'], {}, folder)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  })

  test('nothing at all shows the usage and exits 2', async () => {
    const { code, stderr } = await runTfs([], {}, folder)
    expect(code).toBe(2)
    expect(stderr).toContain('Usage: tfs')
  })

  test.each([
    ['a slip suggests the command', ['srve'], "unknown command 'srve' (Did you mean serve?)"],
    ['an unknown option', ['--nope'], "unknown option '--nope'"],
    ['an unknown option of a command', ['serve', '--nope'], "unknown option '--nope'"],
    [
      'an unknown option of a command of a command',
      ['identity', 'users', '--nope'],
      "unknown option '--nope'",
    ],
    [
      'a slip in an option suggests it',
      ['seed', '--develper'],
      "unknown option '--develper' (Did you mean --developer?)",
    ],
    [
      'an argument too many',
      ['migrate', 'all'],
      "too many arguments for 'migrate'. Expected 0 arguments but got 1: all.",
    ],
  ])('%s: one line and exit 2', async (_name, args, line) => {
    expect(await runTfs(args, {}, folder)).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `tfs: ${line}\n`,
    })
  })
})
