import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, type TestAnswer } from '../server/test/client.ts'
import { createParty, PREPARING } from '../server/test/samples.ts'
import { tempFolder } from './test/data-dir.ts'
import { type NewDatabase, newDatabase } from './test/postgres-database.ts'
import { runTfs, type Serving, serveTfs } from './test/tfs-process.ts'

const LONGEST_WAIT_MS = 10_000
const OTHER_MODE = { OIDC_ISSUER: 'http://localhost:9/realms/tfs', PORT: '0', METRICS_PORT: '0' }
const preparer = { 'x-dev-user': 'ana', 'x-dev-permissions': PREPARING.join(',') }

let folder: string
beforeAll(async () => {
  folder = await tempFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function readyAnswer({ baseUrl }: Serving): Promise<TestAnswer> {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS
  for (;;) {
    const answer = await clientOf(baseUrl, {}).get('/readyz')
    if (answer.status === 200 || Date.now() > giveUpAt) return answer
    await sleep(100)
  }
}

describe('platform 1: `tfs serve` on PostgreSQL never migrates', () => {
  let database: NewDatabase
  let serving: Serving
  beforeAll(async () => {
    database = await newDatabase()
    serving = await serveTfs({ DATABASE_URL: database.env.DATABASE_URL }, folder)
  })
  afterAll(async () => void (await serving?.end('SIGKILL')))

  test('one line says `tfs migrate` while the role does not even exist', async () => {
    await serving.says(/Not ready\..*\n/)
    expect(serving.stdout()).toMatch(/^TFS serves [^\n]+ in developer mode\.\n$/)
    expect(serving.stderr()).toMatch(/^tfs: Not ready\. [^\n]*`tfs migrate`[^\n]*\n$/)
  })

  test('not ready, and 503 UNAVAILABLE with Retry-After on both surfaces; /healthz is 200', async () => {
    const client = clientOf(serving.baseUrl, { ...preparer, 'x-dev-party': 'pty_1' })
    expect(await client.get('/readyz')).toMatchObject({
      status: 503,
      body: { ready: false, checks: { process: { ok: true }, database: { ok: false } } },
    })
    for (const path of ['/parties', '/my/contracts']) {
      const answer = await client.get(path)
      expect(answer).toMatchObject({ status: 503, code: 'UNAVAILABLE' })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.body.detail).toContain('tfs migrate')
    }
    expect((await client.get('/healthz')).status).toBe(200)
  })

  test('`tfs seed` says the same in one line', async () => {
    const { code, stderr } = await runTfs(['seed', '--developer'], database.env, folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^tfs: [^\n]*`tfs migrate`[^\n]*\n$/)
  })

  test('with the role alone, readiness names the migrations that are missing', async () => {
    await database.asSuperuser(
      `create role ${database.appRole} login password '${database.appRole}'`,
    )
    await sleep(600)
    const { body } = await clientOf(serving.baseUrl, {}).get('/readyz')
    expect(body.checks).toMatchObject({
      database: { ok: true },
      migrations: { ok: false, detail: expect.stringMatching(/^Run tfs migrate: 0001_platform/) },
    })
  })

  test('after `tfs migrate` elsewhere it is ready by itself and says so', async () => {
    const migrated = await runTfs(['migrate'], database.env, folder)
    expect(migrated).toMatchObject({ code: 0, stderr: '' })
    expect(migrated.stdout).toMatch(/^Applied 0001_platform\.sql, .*The schema is current\.\n$/)
    expect((await readyAnswer(serving)).body).toMatchObject({ ready: true })
    await createParty(clientOf(serving.baseUrl, preparer))
    expect(serving.stdout()).toContain('The database is ready; TFS serves it now.\n')
  })

  test('a second `tfs migrate` changes nothing', async () => {
    expect(await runTfs(['migrate'], database.env, folder)).toEqual({
      code: 0,
      signal: null,
      stdout: 'The schema is current.\n',
      stderr: '',
    })
  })

  test('the other mode stops in one line', async () => {
    const env = { ...OTHER_MODE, DATABASE_URL: database.env.DATABASE_URL }
    const { code, stderr } = await runTfs(['serve'], env, folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^tfs: This database was first served in developer mode [^\n]*\n$/)
  })

  test('SIGTERM is exit 0 and closes every connection', async () => {
    expect(await serving.end('SIGTERM')).toMatchObject({ code: 0, signal: null })
    const open = await database.asOwner(
      `select pid from pg_stat_activity where usename = '${database.appRole}'`,
    )
    expect(open).toEqual([])
  })
})

describe('platform 1, fail safe: a database that turns out to be wrong', () => {
  test('stops a process that was already waiting for it, in one line and exit 1', async () => {
    const database = await newDatabase()
    const { DATABASE_URL } = database.env
    await database.asSuperuser(`create role ${database.appRole} password '${database.appRole}'`)
    const waiting = await serveTfs({ ...OTHER_MODE, DATABASE_URL }, folder)
    expect((await runTfs(['migrate'], database.env, folder)).code).toBe(0)
    await database.asOwner(`insert into tfs.deployment values ('mode', 'developer')`)
    await database.asSuperuser(`alter role ${database.appRole} login`)
    const { code, stderr } = await waiting.finished
    expect(code).toBe(1)
    expect(stderr).toMatch(/\ntfs: This database was first served in developer mode [^\n]*\n$/)
  })

  test.each([
    ['is the owner', (database: NewDatabase) => database.env.DATABASE_ADMIN_URL, ''],
    ['has BYPASSRLS', ({ env }: NewDatabase) => env.DATABASE_URL, 'alter role {} bypassrls'],
    [
      'can become someone who may',
      ({ env }: NewDatabase) => env.DATABASE_URL,
      'grant pg_read_server_files to {}',
    ],
  ])('a role that %s is refused', async (_name, urlOf, change) => {
    const database = await newDatabase()
    await runTfs(['migrate'], database.env, folder)
    if (change !== '') await database.asSuperuser(change.replace('{}', database.appRole))
    const env = { DATABASE_URL: urlOf(database), PORT: '0', METRICS_PORT: '0' }
    const { code, stdout, stderr } = await runTfs(['serve'], env, folder)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^tfs: DATABASE_URL: the role [^\n]* bypass row-level security[^\n]*\n$/)
  })
})
