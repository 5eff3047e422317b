import { test } from 'vitest'
import { startHost } from '../../test/host.ts'
import { sendRaw, sendBytes } from '../../test/raw.ts'
test('probe', async () => {
  const host = await startHost({ mode: 'token', env: { TFS_CORS_ORIGINS: 'https://app.example' } })
  const auth = `Authorization: ${host.headersOf('ana', { permissions: ['contract:read','party:create','party:read','contract:create'] }).authorization}`
  const show = async (name: string, p: Promise<any>) => {
    try { const a = await p; console.log(name, a.status, a.code, a.headers.get('content-type'), 'rid', a.headers.get('x-request-id'), a.body?.requestId, a.text.slice(0, 160)) } catch (e) { console.log(name, 'ERR', String(e)) }
  }
  const r = (req: any) => sendRaw(host.port, req)
  await show('badpath', r({ target: '/x/%zz', lines: [auth] }))
  await show('badpath api', r({ target: '/api/v1/%zz' }))
  await show('long param', r({ target: '/api/v1/contracts/' + 'x'.repeat(1500), lines: [auth] }))
  await show('long param anon', r({ target: '/api/v1/contracts/' + 'x'.repeat(1500) }))
  await show('empty param', r({ target: '/api/v1/contracts/', lines: [auth] }))
  await show('empty param approve', r({ method: 'POST', target: '/api/v1/contracts//approve', lines: [auth, 'content-length: 0'] }))
  await show('put unknown badjson', r({ method: 'PUT', target: '/api/v1/contracts', lines: ['content-type: application/json', 'content-length: 2'], body: '{"' }))
  await show('empty body odd type', r({ method: 'POST', target: '/api/v1/contracts/x/submit', lines: [auth, 'content-type: garbage', 'content-length: 0'] }))
  await show('host missing', r({ withoutHost: true, lines: [auth] }))
  await show('host twice', r({ lines: ['Host: a', 'Host: b', auth] }))
  await show('abs', r({ target: 'http://localhost/api/v1/me', lines: [auth] }))
  await show('TE+CL', r({ method: 'POST', target: '/api/v1/contracts', lines: [auth, 'Transfer-Encoding: chunked', 'Content-Length: 5'], body: '0\r\n\r\n' }))
  await show('bare LF', sendBytes(host.port, `GET /api/v1/me HTTP/1.1\nHost: localhost\n${auth}\n\n`))
  await show('bare LF hdr', sendBytes(host.port, `GET /api/v1/me HTTP/1.1\r\nHost: localhost\n${auth}\r\n\r\n`))
  await show('connect', r({ method: 'CONNECT', target: 'x:443', lines: [] }))
  await show('trace', r({ method: 'TRACE', lines: [auth] }))
  await show('propfind', r({ method: 'PROPFIND', lines: [auth] }))
  await show('query', r({ method: 'QUERY', lines: [auth] }))
  await show('brew', r({ method: 'BREW', lines: [auth] }))
  await show('post healthz', r({ method: 'POST', target: '/healthz', lines: ['content-length: 0'] }))
  await show('options *', r({ method: 'OPTIONS', target: '*' }))
  await show('431', r({ lines: ['x: ' + 'y'.repeat(17000)] }))
  await show('413', r({ method: 'POST', target: '/api/v1/parties', lines: [auth, 'content-type: application/json', 'content-length: 300000'], body: 'x'.repeat(300000) }))
  await show('413c', r({ method: 'POST', target: '/api/v1/parties', lines: [auth, 'content-type: application/json', 'transfer-encoding: chunked'], body: '493e0\r\n' + 'x'.repeat(300000) + '\r\n0\r\n\r\n' }))
  for (let i = 0; i < 5; i++) {
    try { const a = await host.as('ana','party:create').post('/parties', 'x'.repeat(3_000_000)); console.log('fetch 413', a.status) } catch (e) { console.log('fetch 413 ERR', String(e), String((e as any).cause)) }
  }
  await show('expect', r({ method: 'POST', lines: [auth, 'Expect: 100-Continue', 'content-length: 0'] }))
  await show('upgrade', r({ lines: [auth, 'Connection: Upgrade', 'Upgrade: websocket'] }))
  const t = performance.now()
  await show('redos', r({ method: 'POST', target: '/api/v1/parties', lines: [auth, 'content-type: application/json', 'content-length: ' + (JSON.stringify({ type: 'PERSON', email: 'a@' + '.'.repeat(60000) + '@' }).length)], body: JSON.stringify({ type: 'PERSON', email: 'a@' + '.'.repeat(60000) + '@' }) }))
  console.log('redos ms', performance.now() - t)
  const c = await host.as('ana','contract:read').get('/contracts', { origin: 'https://app.example' })
  console.log('vary', c.headers.get('vary'), c.headers.get('access-control-allow-origin'))
  console.log(host.logLines.filter((l) => l.includes('fault') || l.includes('error')).map((l) => l.slice(0, 300)).join('\n'))
  await host.close()
})
