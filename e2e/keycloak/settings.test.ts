import { describe, expect, test } from 'vitest'
import { cacheDirectory, foreignServer, wantedRelease } from './settings.ts'

describe('KEYCLOAK_URL', () => {
  test('unset: a server of our own', () => {
    expect(foreignServer({})).toBeUndefined()
  })

  test('without credentials or not a URL: one line that says what is missing', () => {
    expect(() => foreignServer({ KEYCLOAK_URL: 'http://localhost:8180' })).toThrow(
      'KEYCLOAK_ADMIN_USERNAME',
    )
    expect(() => foreignServer({ KEYCLOAK_URL: '' })).toThrow('not an absolute URL')
  })

  test('with credentials: that server, without a slash at its end', () => {
    const server = foreignServer({
      KEYCLOAK_URL: 'http://localhost:8180/',
      KEYCLOAK_ADMIN_USERNAME: 'admin',
      KEYCLOAK_ADMIN_PASSWORD: 'secret',
    })
    expect(server?.url).toBe('http://localhost:8180')
  })
})

describe('KEYCLOAK_VERSION', () => {
  test('unset: the pinned release with its checksum', () => {
    expect(wantedRelease({})).toEqual({
      version: expect.stringMatching(/^26\.\d+\.\d+$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('another release is refused without its checksum and taken with it', () => {
    const sha256 = 'a'.repeat(64)
    expect(() => wantedRelease({ KEYCLOAK_VERSION: '26.8.0' })).toThrow('KEYCLOAK_SHA256')
    expect(wantedRelease({ KEYCLOAK_VERSION: '26.8.0', KEYCLOAK_SHA256: sha256 })).toEqual({
      version: '26.8.0',
      sha256,
    })
  })
})

test('XDG_CACHE_HOME says where the distribution is kept', () => {
  expect(cacheDirectory({ XDG_CACHE_HOME: '/var/cache' })).toBe('/var/cache/tfs')
})
