import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, clientOf } from '../server/test/client.ts'
import { startTestIssuer, type TestIssuer } from '../server/test/issuer.ts'
import { createParty, PREPARING } from '../server/test/samples.ts'
import { newDataDir } from './test/data-dir.ts'
import { runTfs, type Serving, serveTfs, spawnTfs } from './test/tfs-process.ts'

const LONGEST_TEST_MS = 120_000
const preparer = { 'x-dev-user': 'ana', 'x-dev-permissions': PREPARING.join(',') }

let folder: string
beforeAll(async () => {
  folder = await newDataDir()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const developer = (serving: Serving): Client => clientOf(serving.baseUrl, preparer)

describe(
  'platform 1: `tfs serve` without any setting is developer mode on the embedded store',
  () => {
    let serving: Serving
    let partyId: string
    beforeAll(async () => {
      serving = await serveTfs({ TFS_DATA_DIR: folder }, folder)
    })
    afterAll(async () => void (await serving.end('SIGKILL')))

    test('ready at once, one line on stdout, nothing on stderr: no warning either', async () => {
      const { status, body } = await clientOf(serving.baseUrl, {}).get('/readyz')
      expect({ status, ready: body.ready }).toEqual({ status: 200, ready: true })
      expect(serving.stdout()).toBe(`TFS serves ${serving.baseUrl}/api/v1 in developer mode.\n`)
      expect(serving.stderr()).toBe('')
    })

    test('201 for who names itself, 421 for who comes through a proxy', async () => {
      partyId = await createParty(developer(serving))
      const proxied = await developer(serving).get('/me', { 'x-forwarded-for': '10.0.0.1' })
      expect(proxied).toMatchObject({ status: 421, code: 'DEVELOPER_MODE_LOCAL_ONLY' })
    })

    test('both loopback addresses answer', async () => {
      const { port } = new URL(serving.baseUrl)
      for (const host of ['127.0.0.1', '[::1]']) {
        expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200)
      }
    })

    test('a second process on the same data directory stops in one line that names the first', async () => {
      for (const command of ['serve', 'seed']) {
        const args = command === 'serve' ? [command] : [command, '--developer']
        const { code, stderr } = await runTfs(args, { TFS_DATA_DIR: folder, PORT: '0' }, folder)
        expect(code).toBe(1)
        expect(stderr).toBe(
          `tfs: TFS_DATA_DIR: ${folder} is in use by process ${serving.pid}; ` +
            'stop that process or choose another directory.\n',
        )
      }
    })

    test('after kill -9 the next start takes the directory; SIGINT, as Ctrl-C sends it, is exit 0', async () => {
      await serving.end('SIGKILL')
      serving = await serveTfs({ TFS_DATA_DIR: folder }, folder)
      expect((await developer(serving).get(`/parties/${partyId}`)).status).toBe(200)
      const { code, signal, stderr } = await serving.end('SIGINT')
      expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: '' })
      expect(existsSync(join(folder, 'lock.pid'))).toBe(false)
    })

    test('token mode never serves what began in developer mode', async () => {
      const env = { TFS_DATA_DIR: folder, OIDC_ISSUER: 'http://localhost:9/realms/tfs', PORT: '0' }
      const { code, stdout, stderr } = await runTfs(['serve'], env, folder)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(
        /^tfs: This database was first served in developer mode .*unset OIDC_ISSUER[^\n]*\n$/,
      )
    })

    test('SIGTERM while the start is under way ends in order', async () => {
      const env = { TFS_DATA_DIR: folder, PORT: '0', METRICS_PORT: '0' }
      const starting = spawnTfs(['serve'], env, folder)
      const hasLock = (): boolean => existsSync(join(folder, 'lock.pid'))
      while (!hasLock()) await new Promise((later) => setTimeout(later, 5))
      expect(await starting.end('SIGTERM')).toMatchObject({ code: 0, signal: null })
      expect(hasLock()).toBe(false)
    })
  },
  LONGEST_TEST_MS,
)

describe(
  'platform 1: OIDC_ISSUER alone is token mode on the embedded store',
  () => {
    let issuer: TestIssuer
    let dataDir: string
    let serving: Serving
    beforeAll(async () => {
      issuer = await startTestIssuer()
      dataDir = await newDataDir()
      serving = await serveTfs({ TFS_DATA_DIR: dataDir, OIDC_ISSUER: issuer.issuer }, dataDir)
    })
    afterAll(async () => {
      await serving?.end('SIGKILL')
      await issuer?.stop()
      await rm(dataDir, { recursive: true, force: true })
    })

    test('a token opens, nothing is 401, a developer header is MSG-G-12', async () => {
      const stranger = clientOf(serving.baseUrl, {})
      expect(serving.stdout()).toContain('in token mode')
      expect((await stranger.get('/readyz')).status).toBe(200)
      expect((await stranger.get('/me')).status).toBe(401)
      const bearer = clientOf(serving.baseUrl, { authorization: `Bearer ${issuer.token()}` })
      expect((await bearer.get('/me')).body).toMatchObject({ username: 'ana' })
      expect((await bearer.get('/me', { 'x-dev-user': '' })).code).toBe('MSG-G-12')
    })

    test('no token, no query and no personal value is in the log', async () => {
      const token = issuer.token({ realm_access: { roles: [...PREPARING] } })
      const client = clientOf(serving.baseUrl, { authorization: `Bearer ${token}` })
      await createParty(client, { type: 'PERSON', person: { firstName: 'Zoe', lastName: 'Quill' } })
      await client.get('/parties?access_token=leaked-in-query')
      await client.get('/parties?q=Quill')
      const { code, stderr } = await serving.end('SIGTERM')
      expect(code).toBe(0)
      expect(stderr).toContain('"operation":"createParty"')
      // Nothing but log lines: no warning of the runtime either.
      expect(stderr.split('\n').filter((line) => !/^(?:\{"level".*)?$/.test(line))).toEqual([])
      for (const secret of [
        token,
        token.split('.')[2] as string,
        'leaked-in-query',
        'Quill',
        'Zoe',
      ]) {
        expect(stderr).not.toContain(secret)
      }
    })

    test('developer mode never serves what began in token mode', async () => {
      const { code, stderr } = await runTfs(
        ['serve'],
        { TFS_DATA_DIR: dataDir, PORT: '0' },
        dataDir,
      )
      expect(code).toBe(1)
      expect(stderr).toMatch(/^tfs: This database was first served in token mode .*set OIDC_ISSUER/)
    })
  },
  LONGEST_TEST_MS,
)
