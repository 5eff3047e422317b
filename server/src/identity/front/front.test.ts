import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../test/browser.ts'
import { authorizationUrl, CONSOLE, newPkce, passwordGrant } from '../test/code-flow.ts'
import { openRealm, type TestRealm } from '../test/realm.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await openRealm()
})
afterAll(() => realm.close())

/** Says whatever is asked for: fetch would not send such a Host or path. */
function raw(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const sent = request(
        { host: '127.0.0.1', port: realm.port, path, method, headers },
        (got) => {
          let text = ''
          got.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, text }))
        },
      )
      sent.on('error', reject).end()
    },
  )
}

const DISCOVERY = '/realms/tfs/.well-known/openid-configuration'

describe('where it answers', () => {
  test('on both loopback addresses, speaking of itself by the issuer’s name', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const response = await fetch(`http://${host}:${realm.port}${DISCOVERY}`)
      expect(await response.json()).toMatchObject({
        issuer: realm.issuer,
        token_endpoint: realm.url('token'),
        jwks_uri: realm.url('jwks'),
      })
    }
  })

  test.each(['evil.example', 'localhost.evil.example', '192.168.0.7', '0.0.0.0'])(
    '421 for Host %j: a foreign name that points here is not served',
    async (host) => {
      for (const path of [DISCOVERY, '/realms/tfs/protocol/openid-connect/auth?x=1', '/']) {
        const { status, text } = await raw(path, { host })
        expect({ path, status }).toEqual({ path, status: 421 })
        expect(text).not.toContain('evil')
      }
    },
  )

  test('a page asked for by another loopback name is led to the issuer’s, where the cookies are', async () => {
    const url = authorizationUrl(realm, CONSOLE, newPkce())
    const shown = await openBrowser().get(url.replace('//localhost:', '//127.0.0.1:'))
    expect(shown.status).toBe(302)
    expect(shown.location).toBe(url)
  })

  test.each([
    '/',
    '/realms/tfs',
    '/realms/master/protocol/openid-connect/token',
    '/realms/tfs/protocol/openid-connect/TOKEN',
    '/realms/tfs/protocol/openid-connect/token/',
    '/realms/tfs//protocol/openid-connect/token',
    '/realms/tfs/x/../protocol/openid-connect/token',
    '/realms/tfs/request',
    '/realms/tfs/interaction/abcdefghijklmnop',
    '/realms/tfs/reg',
    '/realms/tfs/%zz',
    'http://localhost/realms/tfs/protocol/openid-connect/certs',
  ])('404 for %s', async (path) => {
    const { status, headers } = await raw(path)
    expect(status).toBe(404)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('a second provider on the port is refused in one clear line', async () => {
    const { startIdentity } = await import('../start-identity.ts')
    const second = startIdentity({
      ...{ db: realm.store.db, port: realm.port, keyDir: realm.keyDir, baseUrls: [] },
      ...{ passwordGrant: false, demo: false },
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    })
    await expect(second).rejects.toThrow(
      `AUTH_PORT ${realm.port} is in use by another program: stop it, or set AUTH_PORT to a free one.`,
    )
  })
})

describe('CORS', () => {
  const preflight = { 'access-control-request-method': 'POST' }

  test('a registered origin may ask and read', async () => {
    for (const origin of ['http://localhost:8080', 'http://127.0.0.1:5173']) {
      const asked = await fetch(realm.url('token'), {
        ...{ method: 'OPTIONS', headers: { origin, ...preflight } },
      })
      expect(asked.status).toBe(204)
      expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
      expect(asked.headers.get('vary')).toContain('Origin')
      const answer = await realm.post('token', { client_id: 'tfs-ops' }, { origin })
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      const keys = await fetch(realm.url('jwks'), { headers: { origin } })
      expect(keys.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  test.each([
    'https://evil.example',
    'https://localhost:8080',
    'http://localhost.evil.example',
    'null',
  ])('403 for origin %s, at every address that machines call', async (origin) => {
    for (const name of [
      ...(['token', 'jwks', 'discovery', 'userinfo', 'revocation'] as const),
      ...(['introspection', 'deviceAuthorization'] as const),
    ]) {
      for (const method of ['OPTIONS', 'POST', 'GET']) {
        const response = await fetch(realm.url(name), {
          ...{ method, headers: { origin, ...preflight } },
        })
        expect({ name, method, status: response.status }).toEqual({ name, method, status: 403 })
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
      }
    }
  })

  test('without an origin no page is let in', async () => {
    const { headers } = await passwordGrant(realm, 'chief')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('pages are never readable from elsewhere', async () => {
    const response = await fetch(authorizationUrl(realm, CONSOLE, newPkce()), {
      ...{ redirect: 'manual', headers: { origin: 'http://localhost:8080' } },
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('outside the demo only the origins of the API are registered', async () => {
    const strict = await openRealm({ demo: false, baseUrls: ['https://tfs.example.org'] })
    try {
      const ask = (origin: string) => fetch(strict.url('jwks'), { headers: { origin } })
      expect((await ask('https://tfs.example.org')).status).toBe(200)
      expect((await ask('http://localhost:5173')).status).toBe(403)
    } finally {
      await strict.close()
    }
  })
})
