import { afterEach, describe, expect, test } from 'vitest'
import { clientOf } from '../test/client.ts'
import { type Host, startHost } from '../test/host.ts'
import { startTestIssuer } from '../test/issuer.ts'
import { expectProblem } from '../test/problems.ts'
import { sendRaw } from '../test/raw.ts'
import { MIGRATIONS, openStore } from '../test/stores.ts'
import { createApp } from './app.ts'
import { readConfig } from './config.ts'
import { listen } from './http/listener.ts'
import { pendingMigrations } from './storage/migrate.ts'
import type { Db } from './storage/tx.ts'
import { loggerOf } from './watching/logger.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function host(options: Parameters<typeof startHost>[0] = {}): Promise<Host> {
  const started = await startHost(options)
  closing.push(() => started.close())
  return started
}

/** A process over a database that something is wrong with. */
async function clientOver(db: Db, pending: () => Promise<readonly string[]>) {
  const app = await createApp({
    config: readConfig({ PORT: '0' }, 'serve'),
    db,
    pendingMigrations: pending,
    log: loggerOf('silent'),
    version: '0',
  })
  const listener = await listen(['127.0.0.1'], 0, app.handle)
  closing.push(
    () => app.close(),
    () => listener.close(0),
  )
  return clientOf(`http://127.0.0.1:${listener.port}`, {})
}

describe('/healthz and /readyz', () => {
  test.each(['token', 'developer'] as const)(
    '200 with every check in %s mode, to anyone',
    async (mode) => {
      const { stranger } = await host({ mode })
      const health = await stranger.get('/healthz')
      expect(health).toMatchObject({ status: 200, body: { status: 'ok' } })
      const readiness = await stranger.get('/readyz')
      expect(readiness).toMatchObject({ status: 200, body: { ready: true } })
      const names = ['process', 'database', 'migrations', ...(mode === 'token' ? ['keys'] : [])]
      expect(Object.keys(readiness.body.checks).sort()).toEqual(names.sort())
      for (const name of names) expect(readiness.body.checks[name].ok, name).toBe(true)
      for (const answer of [health, readiness]) {
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      }
      for (const path of ['/healthz', '/readyz'])
        expect(await stranger.send('HEAD', path)).toMatchObject({ status: 200, text: '' })
    },
  )

  test('503 problem that names the migrations to run; /healthz stays 200', async () => {
    const store = await openStore('embedded')
    closing.push(() => store.close())
    const client = await clientOver(store.db, async () => ['0099_later.sql'])
    const answer = await client.get('/readyz')
    expectProblem(answer, 503, 'UNAVAILABLE')
    expect(answer.body).toMatchObject({
      ready: false,
      checks: { migrations: { ok: false }, database: { ok: true } },
    })
    expect(answer.body.checks.migrations.detail).toContain('tfs migrate')
    expect(answer.body.checks.migrations.detail).toContain('0099_later.sql')
    expect(answer.headers.get('retry-after')).toBe('5')
    expect((await client.get('/healthz')).status).toBe(200)
  })

  test('503 while the database is away, on /readyz and on every route, with Retry-After (spec 7.3)', async () => {
    const store = await openStore('postgres')
    closing.push(() => store.close())
    const client = await clientOver(store.db, () => pendingMigrations(store.db, MIGRATIONS))
    await store.db.close()
    const answer = await client.get('/readyz')
    expectProblem(answer, 503, 'UNAVAILABLE')
    expect(answer.body.checks.database.ok).toBe(false)
    expect((await client.get('/healthz')).status).toBe(200)
    const identity = {
      'x-dev-user': 'ana',
      'x-dev-permissions': 'contract:read,party:create',
      'x-dev-party': 'p',
    }
    for (const path of ['/contracts', '/my/contracts', '/contracts/x']) {
      const read = await client.get(path, identity)
      expectProblem(read, 503, 'UNAVAILABLE', path)
      expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expectProblem(await client.get('/parties', identity), 403, 'PERMISSION_MISSING')
  })

  test('503 while the keys were never there; tokens get 503, developer headers MSG-G-12 (rule 8)', async () => {
    const away = await host({
      mode: 'token',
      env: { OIDC_ISSUER: 'http://localhost:1/realms/tfs' },
    })
    const answer = await away.stranger.get('/readyz')
    expectProblem(answer, 503, 'UNAVAILABLE')
    expect(answer.body.checks).toMatchObject({ keys: { ok: false }, database: { ok: true } })
    expect((await away.stranger.get('/healthz')).status).toBe(200)
    for (const path of ['/contracts', '/my/contracts'])
      for (const again of [1, 2])
        expectProblem(
          await away.as('ana').get(path),
          503,
          'IDENTITY_PROVIDER_UNAVAILABLE',
          `${again}`,
        )
    expectProblem(await away.stranger.get('/contracts'), 401, 'UNAUTHENTICATED')
  })

  test('503 while discovery names another issuer: tokens are refused (rule 8)', async () => {
    const issuer = await startTestIssuer()
    closing.push(() => issuer.stop())
    issuer.misbehave('wrong-issuer')
    const wrong = await host({ mode: 'token', env: { OIDC_ISSUER: issuer.issuer } })
    const answer = await wrong.stranger.get('/readyz')
    expectProblem(answer, 503, 'UNAVAILABLE')
    expect(answer.body.checks.keys.detail).toContain('another issuer')
    const authorization = `Bearer ${issuer.token({ partyId: 'p' })}`
    for (const path of ['/contracts', '/my/contracts'])
      expectProblem(
        await wrong.stranger.get(path, { authorization }),
        503,
        'IDENTITY_PROVIDER_UNAVAILABLE',
      )
  })

  test('503 and no kept connection once the process is stopping; running work still answers', async () => {
    const stopping = await host()
    stopping.app.drain()
    const answer = await stopping.stranger.get('/readyz')
    expectProblem(answer, 503, 'UNAVAILABLE')
    expect(answer.body.checks.process.ok).toBe(false)
    const raw = await sendRaw(stopping.port, { lines: ['x-dev-user: ana'] })
    expect(raw.status).toBe(200)
    expect(raw.headers.get('connection')).toEqual(['close'])
  })
})

describe('addresses for people', () => {
  test('/ leads to /docs/, /docs leads there too', async () => {
    const started = await host({ mode: 'token' })
    for (const target of ['/', '/docs']) {
      const answer = await sendRaw(started.port, { target })
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toEqual(['/docs/'])
    }
  })

  test('the page of errors has every code at the anchor that problems point to (spec 7.3)', async () => {
    const { stranger } = await host()
    const page = await stranger.get('/docs/errors')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const unknown = (await stranger.get('/nothing')).body
    for (const code of ['MSG-G-12', 'FOUR_EYES_SAME_USER', unknown.code])
      expect(page.text).toContain(`id="${code}"`)
    expect(unknown.type).toBe(`/docs/errors#${unknown.code}`)
    expect((await stranger.get('/docs/pages.css')).headers.get('content-type')).toContain(
      'text/css',
    )
  })

  test('404 for figures on the public listener', async () => {
    const { port } = await host({ mode: 'token' })
    expectProblem(await sendRaw(port, { target: '/metrics' }), 404, 'NOT_FOUND')
  })
})
