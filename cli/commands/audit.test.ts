import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Checkpoint } from '../../server/src/audit-trail/index.ts'
import { type SignedTrail, signedTrail } from '../../server/src/audit-trail/test/signed-trail.ts'
import { exportedLines, work } from '../../server/src/audit-trail/test/trail.ts'
import { storeOf } from '../../server/test/stores.ts'
import { ROOT } from '../test/tfs-process.ts'

const store = storeOf('embedded')
let folder: string
let trail: SignedTrail
let whole: { lines: string[]; last: Checkpoint }
let early: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tfs-verify-'))
  trail = await signedTrail(store.db)
  await work(store.db, 'one\u2028with a separator')
  await trail.seal()
  early = await exportedLines(store.db)
  for (const id of ['two', 'three']) await work(store.db, id)
  const last = await trail.seal()
  whole = { lines: await exportedLines(store.db), last }
})
afterAll(() => {
  trail.remove()
  rmSync(folder, { recursive: true })
})

interface Told {
  readonly code: unknown
  readonly stdout: string
  readonly stderr: string
}

/** The command as `tfs` runs it, in a process of its own. */
function tfsAudit(args: readonly string[], input?: string): Promise<Told> {
  const script = `
    const { auditCommand } = await import(${JSON.stringify(join(ROOT, 'cli/commands/audit.ts'))})
    const { reportFailure } = await import(${JSON.stringify(join(ROOT, 'cli/failure.ts'))})
    await auditCommand().parseAsync(${JSON.stringify(args)}, { from: 'user' }).catch(reportFailure)`
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { cwd: folder },
      (failed, stdout, stderr) => resolve({ code: failed?.code ?? 0, stdout, stderr }),
    )
    child.stdin?.end(input)
  })
}

function file(name: string, lines: readonly string[]): string {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
  return name
}
const proof = (): string[] => [
  ...['--checkpoints', trail.checkpoints.file],
  ...['--public-key', join(trail.keyDir, 'audit-checkpoint.pub.pem')],
]

test('says what was proved, exit 0 (platform 9)', async () => {
  const told = await tfsAudit(['verify', file('export.jsonl', whole.lines), ...proof()])
  expect(told).toEqual({
    code: 0,
    stderr: '',
    stdout:
      'Entries 1 to 3: none was changed, is missing, was added, swapped or cut off.\n' +
      'Checkpoints vouch for everything up to entry 3.\n' +
      `Last: 3:${whole.last.hash}\n`,
  })
})

test('reads standard input, and says what nothing vouches for (platform 9)', async () => {
  const bare = await exportedLines(store.db, { from: 2, to: 2 })
  const told = await tfsAudit(['verify', '-'], `${bare.join('\n')}\n`)
  expect(told.code).toBe(0)
  expect(told.stdout).toContain('could have been written anew')
  expect(told.stdout).toContain('What came before entry 2 is not part of this export.')
})

test('names the first bad entry, exit 1 (platform 9)', async () => {
  const at = whole.lines.findIndex((line) => line.includes('"two"'))
  const id = (JSON.parse(whole.lines[at] as string) as { entry: { id: string } }).entry.id
  const changed = whole.lines.with(at, (whole.lines[at] as string).replace('"two"', '"TWO"'))
  const told = await tfsAudit(['verify', file('changed.jsonl', changed)])
  expect(told).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `tfs: changed.jsonl is not what was recorded: entry 2 (${id}), line ${at + 1}: ` +
      'the entry, its number or what stands before it was changed.\n',
  })
})

test('a cut file and an old copy are found, exit 1 (platform 9)', async () => {
  const cut = await tfsAudit(['verify', file('cut.jsonl', whole.lines.slice(0, -2)), ...proof()])
  expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('was cut off') })
  const old = file('old.jsonl', early)
  expect(await tfsAudit(['verify', old, ...proof()])).toMatchObject({ code: 0 })
  for (const expected of [`3:${whole.last.hash}`, JSON.stringify(whole.last)]) {
    expect(await tfsAudit(['verify', old, '--expect', expected])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('this is an old copy'),
    })
  }
})

test('one line says what is wrong with what was given (platform 1)', async () => {
  const good = file('good.jsonl', whole.lines)
  for (const [args, line] of [
    [['missing.jsonl'], 'ENOENT'],
    [[good, '--expect', 'yesterday'], '--expect: write <seq>:<hash>'],
    [[good, '--public-key', good], 'no Ed25519 public key'],
    [[good, '--checkpoints', good], 'holds something else too'],
  ] as const) {
    const told = await tfsAudit(['verify', ...args])
    expect(told.code, line).not.toBe(0)
    expect(told.stderr).toContain(line)
    expect(told.stderr.trimEnd().split('\n')).toHaveLength(1)
  }
})
