import { writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tempFolder } from './test/data-dir.ts'
import { type Env, runTfs, serveTfs } from './test/tfs-process.ts'

let folder: string
beforeAll(async () => {
  folder = await tempFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** One line that says what is wrong; no stack, nothing served. */
async function expectLine(env: Env, line: RegExp, ...args: string[]): Promise<void> {
  const command = args.length === 0 ? ['serve'] : args
  const { code, signal, stdout, stderr } = await runTfs(command, env, folder)
  expect({ code, signal, stdout }).toEqual({ code: 1, signal: null, stdout: '' })
  expect(stderr).toMatch(line)
  expect(stderr).toMatch(/^tfs: [^\n]+\n$/)
}

/** A setting alone decides: nothing is written either. */
async function expectStop(env: Env, line: RegExp, ...args: string[]): Promise<void> {
  await expectLine(env, line, ...args)
  expect(await readdir(folder)).toEqual([])
}

const ISSUER = 'https://auth.example.org/realms/tfs'
const ELSEWHERE = 'postgres://tfs_app@db.example.org/tfs'

describe('platform 1, fail safe: a start that must not be is one line and exit 1', () => {
  const cases: readonly (readonly [string, Env, RegExp])[] = [
    ['a bad setting', { PORT: 'eighty' }, /^tfs: PORT is not a whole number .*Allowed: /],
    ['a setting that is none', { TFS_DATADIR: 'x' }, /TFS_DATADIR .*TFS_DATA_DIR/],
    ['a misspelt OIDC_ISSUER', { OIDC_ISSUR: ISSUER }, /OIDC_ISSUR .*OIDC_ISSUER/],
    ['an empty OIDC_ISSUER', { OIDC_ISSUER: '' }, /^tfs: OIDC_ISSUER /],
    ['a blank OIDC_ISSUER', { OIDC_ISSUER: '  ' }, /^tfs: OIDC_ISSUER /],
    ['a relative OIDC_ISSUER', { OIDC_ISSUER: 'realms/tfs' }, /^tfs: OIDC_ISSUER /],
    [
      'a plain http issuer off loopback',
      { OIDC_ISSUER: 'http://auth.example.org/realms/tfs' },
      /^tfs: OIDC_ISSUER is plain http .*OIDC_ALLOW_HTTP/,
    ],
    ['HOST off loopback without a provider', { HOST: '0.0.0.0' }, /^tfs: HOST .*OIDC_ISSUER/],
    [
      'NODE_ENV=production without a provider',
      { NODE_ENV: 'production' },
      /^tfs: NODE_ENV .*OIDC_ISSUER/,
    ],
    [
      'DATABASE_URL off loopback without a provider',
      { DATABASE_URL: ELSEWHERE },
      /^tfs: DATABASE_URL points off loopback .*OIDC_ISSUER/,
    ],
  ]
  test.each(cases)('%s', (_name, env, line) => expectStop(env, line))

  test('the same rules hold for `start`', async () => {
    await expectStop({ OIDC_ISSUER: '' }, /^tfs: OIDC_ISSUER /, 'start')
    await expectStop({ HOST: '0.0.0.0' }, /^tfs: HOST /, 'start')
  })

  test('a password is never repeated in the line', async () => {
    const DATABASE_URL = 'postgres://tfs_app:very-secret@db.example.org:99999/tfs'
    const { code, stderr } = await runTfs(['serve'], { DATABASE_URL }, folder)
    expect(code).toBe(1)
    expect(stderr).not.toContain('very-secret')
  })
})

describe('platform 1: commands that cannot do their work say why in one line', () => {
  test('migrate on PostgreSQL without the owner', () =>
    expectLine(
      { DATABASE_URL: 'postgres://tfs_app@localhost/tfs' },
      /^tfs: DATABASE_ADMIN_URL is not set\. Allowed: /,
      'migrate',
    ))

  test('migrate while PostgreSQL is away', () =>
    expectLine(
      {
        DATABASE_URL: 'postgres://tfs_app@127.0.0.1:1/tfs',
        DATABASE_ADMIN_URL: 'postgres://owner:very-secret@127.0.0.1:1/tfs',
      },
      /^tfs: DATABASE_ADMIN_URL: The database cannot be reached/,
      'migrate',
    ))

  test('seed while PostgreSQL is away', () =>
    expectLine(
      { DATABASE_URL: 'postgres://tfs_app@127.0.0.1:1/tfs' },
      /^tfs: The database cannot be reached .*tfs migrate/,
      'seed',
    ))

  test('serve while PostgreSQL is away waits for it; SIGTERM ends the wait with exit 0', async () => {
    const serving = await serveTfs({ DATABASE_URL: 'postgres://tfs_app@127.0.0.1:1/tfs' }, folder)
    const { code, stderr } = await serving.end('SIGTERM')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^tfs: Not ready\. The database cannot be reached .*tfs migrate[^\n]*\n$/,
    )
  })

  test('start while PostgreSQL is away ends: nothing that was opened keeps it alive', () =>
    expectLine(
      { DATABASE_URL: 'postgres://tfs_app@127.0.0.1:1/tfs', PORT: '0', METRICS_PORT: '0' },
      /tfs: The database cannot be reached .*tfs migrate/,
      'start',
      '--developer',
    ))

  test('a data directory that is a file', async () => {
    const TFS_DATA_DIR = join(folder, 'file')
    writeFileSync(TFS_DATA_DIR, '')
    await expectLine({ TFS_DATA_DIR }, /^tfs: TFS_DATA_DIR: .* cannot be used/)
  })

  test('serve while its PORT is busy', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => busy.once('listening', listening))
    const { port } = busy.address() as { port: number }
    try {
      // A database that is away does not keep the process from listening: this start is quick.
      const DATABASE_URL = 'postgres://tfs_app@127.0.0.1:1/tfs'
      const env = { PORT: String(port), METRICS_PORT: '0', DATABASE_URL }
      await expectLine(env, new RegExp(`^tfs: PORT ${port} is in use by another program`))
    } finally {
      busy.close()
    }
  })
})
