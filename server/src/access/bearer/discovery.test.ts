import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { discoverKeysUrl, discoveryUrlOf } from './discovery.ts'

const ISSUER = 'https://auth.example.org/realms/tfs'
let document: object = {}
const server = createServer((_, response) => void response.end(JSON.stringify(document)))

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(() => new Promise((done) => server.close(done)))

function discover(members: object, allowHttp = false): Promise<URL> {
  document = { issuer: ISSUER, ...members }
  const discoveryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return discoverKeysUrl({ issuer: ISSUER, discoveryUrl, allowHttp }, new AbortController().signal)
}

describe('the discovery document', () => {
  test('is looked for below the issuer, or where the settings say', () => {
    const path = '/.well-known/openid-configuration'
    expect(discoveryUrlOf({ issuer: ISSUER }).href).toBe(ISSUER + path)
    expect(discoveryUrlOf({ issuer: `${ISSUER}/` }).href).toBe(ISSUER + path)
    const discoveryUrl = 'http://keycloak:8080/realms/tfs/.well-known/openid-configuration'
    expect(discoveryUrlOf({ issuer: ISSUER, discoveryUrl }).href).toBe(discoveryUrl)
  })

  test('names where the keys are', async () => {
    const keysUrl = await discover({ jwks_uri: `${ISSUER}/certs` })
    expect(keysUrl.href).toBe(`${ISSUER}/certs`)
    await expect(discover({ jwks_uri: 'http://localhost:8180/certs' })).resolves.toBeDefined()
    await expect(discover({ jwks_uri: 'http://keys.invalid/certs' }, true)).resolves.toBeDefined()
  })

  test.each([undefined, null, 7, '', '/certs', 'http://keys.invalid/certs', 'file:///etc/passwd'])(
    'is garbage when jwks_uri is %j',
    async (jwks_uri) => {
      await expect(discover({ jwks_uri })).rejects.toMatchObject({ kind: 'GARBAGE' })
    },
  )

  test.each([`${ISSUER}/`, ISSUER.toUpperCase(), ISSUER.replace('https', 'http'), ''])(
    'is of another issuer when it names %j',
    async (issuer) => {
      const outcome = discover({ issuer, jwks_uri: `${ISSUER}/certs` })
      await expect(outcome).rejects.toMatchObject({ kind: 'WRONG_ISSUER' })
    },
  )

  test.each([null, 7, [ISSUER]])('is garbage when the issuer is %j', async (issuer) => {
    const outcome = discover({ issuer, jwks_uri: `${ISSUER}/certs` })
    await expect(outcome).rejects.toMatchObject({ kind: 'GARBAGE' })
  })
})
