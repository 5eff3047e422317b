import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, startHost } from '../../test/host.ts'
import { createParty, newPerson, PREPARING } from '../../test/samples.ts'
import { listenMetrics } from './metrics-listener.ts'

const SECRETS = ['Quill', 'Zoe', 'zoe@example.org', 'leaked', 'ana', 'pty_', 'eyJ']

let host: Host
let text: string
let partyId: string
beforeAll(async () => {
  host = await startHost({ mode: 'token' })
  const ana = host.as('ana', ...PREPARING)
  partyId = await createParty(
    ana,
    newPerson('Quill', {
      person: { firstName: 'Zoe', lastName: 'Quill' },
      email: 'zoe@example.org',
    }),
  )
  await ana.get(`/parties/${partyId}?access_token=leaked`)
  await ana.get(`/parties/${partyId}`)
  await ana.get('/contracts')
  await host.as('ana').get('/parties')
  await host.stranger.get('/parties')
  await host.stranger.get('/nowhere/Quill/leaked')
  await host.stranger.get('/healthz')
  await host.stranger.get('/me', { 'x-dev-user': 'Quill' })
  await host.stranger.get('/me', { authorization: `Bearer ${host.issuer?.token()}x` })
  text = await host.app.metrics.registry.metrics()
})
afterAll(() => host.close())

const figureOf = (line: RegExp): number =>
  Number(new RegExp(`${line.source} (\\S+)$`, 'm').exec(text)?.[1])

describe('/metrics', () => {
  test.each([
    'http_server_request_duration_seconds_bucket',
    'tfs_security_refusals_total',
    'db_client_connection_count',
    'tfs_identity_keys',
    'tfs_identity_keys_age_seconds',
    'tfs_token_cache_entries',
    'tfs_token_cache_hits_total',
    'tfs_token_cache_misses_total',
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])('has %s', (name) => {
    expect(text).toMatch(new RegExp(`^${name}(?:\\{[^}]*\\})? \\S+$`, 'm'))
  })

  test('counts by method, pattern of the route and status; every figure is a number', () => {
    const count = /http_server_request_duration_seconds_count/.source
    const labels = (route: string, status: number): RegExp =>
      new RegExp(
        `^${count}\\{http_request_method="GET",http_route="${route}",http_response_status_code="${status}"\\}`,
      )
    expect(figureOf(labels('/api/v1/parties/:party_id', 200))).toBe(1)
    expect(figureOf(labels('/api/v1/parties', 403))).toBe(1)
    expect(figureOf(labels('/api/v1/parties', 401))).toBe(1)
    expect(figureOf(labels('/healthz', 200))).toBe(1)
    expect(figureOf(labels('unmatched', 401))).toBe(1)
    for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
      expect(line).toMatch(/ (?:[\d.e+-]+|NaN|\+Inf)$/)
    }
  })

  test('tells refusals of strangers by code, key age and the hits of the token cache', () => {
    expect(figureOf(/^tfs_security_refusals_total\{code="MSG-G-12"\}/)).toBe(1)
    expect(figureOf(/^tfs_security_refusals_total\{code="TOKEN_INVALID"\}/)).toBe(1)
    expect(figureOf(/^tfs_identity_keys/)).toBeGreaterThan(0)
    expect(figureOf(/^tfs_identity_keys_age_seconds/)).toBeGreaterThanOrEqual(0)
    expect(figureOf(/^tfs_token_cache_misses_total/)).toBeGreaterThan(0)
  })

  test('figures that only grow do not grow by being read', async () => {
    const read = async (): Promise<string | undefined> =>
      /^tfs_token_cache_misses_total .*$/m.exec(await host.app.metrics.registry.metrics())?.[0]
    expect(await read()).toBe(await read())
  })

  test('holds no name, address, id, query or token of anyone', () => {
    for (const secret of [...SECRETS, partyId]) expect(text).not.toContain(secret)
  })

  test('is not on the public listener', async () => {
    const answer = await host.stranger.get('/docs/../metrics')
    expect(answer.text).not.toContain('process_cpu_seconds_total')
    const direct = await fetch(`${host.baseUrl}/metrics`)
    expect(direct.status).toBe(404)
    expect(await direct.text()).not.toContain('process_cpu_seconds_total')
  })
})

describe('the listener of the figures', () => {
  test('answers GET /metrics and nothing else, on loopback', async () => {
    const listener = await listenMetrics(0, host.app.metrics.registry, false)
    const at = (path: string, method = 'GET'): Promise<Response> =>
      fetch(`http://127.0.0.1:${listener.port}${path}`, { method })
    const answer = await at('/metrics')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(await answer.text()).toContain('http_server_request_duration_seconds')
    for (const path of ['/', '/api/v1/me', '/healthz', '/metrics/x']) {
      expect((await at(path)).status, path).toBe(404)
    }
    expect((await at('/metrics', 'POST')).status).toBe(404)
    await listener.close()
    await expect(at('/metrics')).rejects.toThrow()
  })

  test('a busy port is one clear line for `serve`; `start` takes another', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => busy.once('listening', listening))
    const { port } = busy.address() as { port: number }
    const { registry } = host.app.metrics
    await expect(listenMetrics(port, registry, false)).rejects.toThrow(
      `METRICS_PORT ${port} is in use by another program`,
    )
    const other = await listenMetrics(port, registry, true)
    expect(other.port).not.toBe(port)
    await other.close()
    await new Promise((closed) => busy.close(closed))
  })
})
