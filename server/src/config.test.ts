import { describe, expect, test } from 'vitest'
import { type Command, type Config, environment, readConfig, SettingsError } from './config.ts'

const ISSUER = 'https://auth.example.org/realms/tfs'
const EMBEDDED_ISSUER = 'http://localhost:8180/realms/tfs'
const COMMANDS: readonly Command[] = ['start', 'serve', 'migrate', 'seed', 'identity']

function refusalOf(work: () => unknown): SettingsError {
  try {
    work()
  } catch (error) {
    if (error instanceof SettingsError) return error
    throw error
  }
  throw new Error('The settings were accepted.')
}

describe('mode', () => {
  test.each<[Command, string | undefined, boolean, Config['mode'], string | undefined, boolean]>([
    ['serve', undefined, false, 'developer', undefined, false],
    ['serve', undefined, true, 'developer', undefined, false],
    ['serve', ISSUER, false, 'token', ISSUER, false],
    ['start', undefined, false, 'token', EMBEDDED_ISSUER, true],
    ['start', undefined, true, 'developer', undefined, false],
    ['start', ISSUER, false, 'token', ISSUER, false],
    ['migrate', undefined, false, 'token', undefined, false],
    ['migrate', undefined, true, 'developer', undefined, false],
    ['migrate', ISSUER, false, 'token', ISSUER, false],
    ['seed', undefined, false, 'token', undefined, false],
    ['seed', undefined, true, 'developer', undefined, false],
    ['identity', undefined, false, 'token', EMBEDDED_ISSUER, true],
    ['identity', ISSUER, false, 'token', EMBEDDED_ISSUER, true],
  ])('%s, OIDC_ISSUER %s, developer %s: %s mode, tokens of %s, embedded provider %s', (...row) => {
    const [command, issuer, developer, mode, tokensOf, embedded] = row
    const config = readConfig({ OIDC_ISSUER: issuer }, command, { developer })
    expect(config.command).toBe(command)
    expect(config.mode).toBe(mode)
    expect(config.oidc?.issuer).toBe(tokensOf)
    expect(config.embeddedProvider).toEqual(
      embedded ? { port: 8180, issuer: EMBEDDED_ISSUER } : undefined,
    )
    expect(config.passwordGrant).toBe(embedded)
    expect(config.dataDir).toBe(mode === 'developer' ? '.tfs-dev' : '.tfs')
  })

  test.each(COMMANDS.filter((command) => command !== 'identity'))(
    '%s stops when developer mode is asked for while OIDC_ISSUER is set',
    (command) => {
      const refusal = refusalOf(() =>
        readConfig({ OIDC_ISSUER: ISSUER }, command, { developer: true }),
      )
      expect(refusal.setting).toBe('OIDC_ISSUER')
      expect(refusal.message).toContain('unset OIDC_ISSUER')
    },
  )

  test('identity stops when developer mode is asked for', () => {
    const refusal = refusalOf(() => readConfig({}, 'identity', { developer: true }))
    expect(refusal.setting).toBe('--developer')
  })

  test.each(COMMANDS)(
    '%s stops at an empty OIDC_ISSUER: it never means developer mode',
    (command) => {
      for (const developer of [false, true]) {
        for (const text of ['', ' ', '\t', '\n', '\u00a0']) {
          const refusal = refusalOf(() => readConfig({ OIDC_ISSUER: text }, command, { developer }))
          expect(refusal.setting, JSON.stringify(text)).toMatch(/^(OIDC_ISSUER|--developer)$/)
        }
      }
    },
  )
})

describe('derived values', () => {
  test('an empty environment gives the documented defaults', () => {
    expect(readConfig({}, 'start')).toEqual({
      command: 'start',
      mode: 'token',
      hosts: ['127.0.0.1', '::1'],
      port: 8080,
      metricsPort: 9464,
      embeddedProvider: { port: 8180, issuer: EMBEDDED_ISSUER },
      oidc: {
        issuer: EMBEDDED_ISSUER,
        discoveryUrl: `${EMBEDDED_ISSUER}/.well-known/openid-configuration`,
        audience: 'tfs-core-api',
        clients: undefined,
        maxTokenLifeSeconds: 86_400,
        personClaim: undefined,
        allowHttp: false,
      },
      passwordGrant: true,
      databases: { application: undefined, admin: undefined, read: undefined, identity: undefined },
      dataDir: '.tfs',
      keyDir: '.tfs/keys',
      surface: 'all',
      publicUrl: undefined,
      trustProxy: false,
      corsOrigins: [],
      timeZone: 'UTC',
      rateLimits: { reads: 500, writes: 50 },
      logLevel: 'info',
    })
  })

  test('every setting arrives where it is read', () => {
    const config = readConfig(
      {
        HOST: '0.0.0.0',
        PORT: '80',
        METRICS_PORT: '81',
        OIDC_ISSUER: 'http://keycloak:8080/realms/tfs',
        OIDC_DISCOVERY_URL: 'http://inner:8080/discovery?x=1',
        OIDC_ALLOW_HTTP: 'true',
        OIDC_AUDIENCE: 'api',
        OIDC_CLIENTS: 'tfs-ops, tfs-cli,tfs-ops',
        OIDC_MAX_TOKEN_LIFE: '300',
        OIDC_PERSON_CLAIM: 'employeeNumber',
        TFS_PASSWORD_GRANT: 'on',
        DATABASE_URL: 'postgres://app@db/tfs',
        DATABASE_ADMIN_URL: 'postgres://owner@db/tfs',
        DATABASE_READ_URL: 'postgres://app@replica/tfs',
        IDENTITY_DATABASE_URL: 'postgres://idp@db/idp',
        TFS_DATA_DIR: '/var/lib/tfs',
        TFS_KEY_DIR: '/etc/tfs/keys',
        TFS_SURFACE: 'customer',
        TFS_PUBLIC_URL: 'https://tfs.example.org/',
        TFS_TRUST_PROXY: '10.0.0.0/8, ::1',
        TFS_CORS_ORIGINS: 'https://a.example.org, http://localhost:5173',
        TFS_TIME_ZONE: 'Europe/Berlin',
        TFS_RATE_LIMIT_READS: '0',
        TFS_RATE_LIMIT_WRITES: '7',
        LOG_LEVEL: 'debug',
        NODE_ENV: 'production',
      },
      'serve',
    )
    expect(config).toMatchObject({
      mode: 'token',
      hosts: ['0.0.0.0'],
      port: 80,
      metricsPort: 81,
      embeddedProvider: undefined,
      oidc: {
        issuer: 'http://keycloak:8080/realms/tfs',
        discoveryUrl: 'http://inner:8080/discovery?x=1',
        audience: 'api',
        clients: ['tfs-ops', 'tfs-cli'],
        maxTokenLifeSeconds: 300,
        personClaim: 'employeeNumber',
      },
      passwordGrant: false,
      databases: {
        application: { label: 'app@db:5432/tfs' },
        admin: { label: 'owner@db:5432/tfs' },
        read: { label: 'app@replica:5432/tfs' },
        identity: { label: 'idp@db:5432/idp' },
      },
      dataDir: '/var/lib/tfs',
      keyDir: '/etc/tfs/keys',
      surface: 'customer',
      publicUrl: 'https://tfs.example.org',
      trustProxy: ['10.0.0.0/8', '::1'],
      corsOrigins: ['https://a.example.org', 'http://localhost:5173'],
      timeZone: 'Europe/Berlin',
      rateLimits: { reads: 0, writes: 7 },
      logLevel: 'debug',
    })
  })

  test('the password grant of the embedded provider can be switched off', () => {
    expect(readConfig({ TFS_PASSWORD_GRANT: 'off' }, 'start').passwordGrant).toBe(false)
  })

  test('the issuer of the embedded provider follows AUTH_PORT', () => {
    const config = readConfig({ AUTH_PORT: '9000' }, 'start')
    expect(config.embeddedProvider).toEqual({
      port: 9000,
      issuer: 'http://localhost:9000/realms/tfs',
    })
    expect(config.oidc?.issuer).toBe('http://localhost:9000/realms/tfs')
  })

  test('identity serves its own discovery whatever provider the API is told to use', () => {
    const env = { OIDC_ISSUER: ISSUER, OIDC_DISCOVERY_URL: `${ISSUER}/elsewhere` }
    expect(readConfig(env, 'serve').oidc?.discoveryUrl).toBe(`${ISSUER}/elsewhere`)
    expect(readConfig(env, 'identity').oidc?.discoveryUrl).toBe(
      `${EMBEDDED_ISSUER}/.well-known/openid-configuration`,
    )
  })

  test('a given data directory holds the keys and is used in both modes', () => {
    for (const developer of [false, true]) {
      const config = readConfig({ TFS_DATA_DIR: 'here' }, 'start', { developer })
      expect([config.dataDir, config.keyDir]).toEqual(['here', 'here/keys'])
    }
  })

  test('an issuer with a slash at its end has one slash before the well-known path', () => {
    const { oidc } = readConfig({ OIDC_ISSUER: 'https://auth.example.org/' }, 'serve')
    expect(oidc?.issuer).toBe('https://auth.example.org/')
    expect(oidc?.discoveryUrl).toBe('https://auth.example.org/.well-known/openid-configuration')
  })

  test('a config is frozen in every depth', () => {
    const env = {
      OIDC_ISSUER: ISSUER,
      OIDC_CLIENTS: 'tfs-ops',
      TFS_CORS_ORIGINS: 'https://a.example.org',
      TFS_TRUST_PROXY: '10.0.0.1',
      DATABASE_URL: 'postgres://app@localhost/tfs?sslmode=disable',
    }
    const seen: unknown[] = [readConfig(env, 'serve'), readConfig({}, 'start')]
    for (const value of seen) {
      expect(Object.isFrozen(value)).toBe(true)
      for (const member of Object.values(value as object)) {
        if (typeof member === 'object' && member !== null) seen.push(member)
      }
    }
    expect(seen.length).toBeGreaterThan(10)
  })

  test('the environment of the process is what readConfig takes', () => {
    expect(environment()).toBe(process.env)
  })
})
