import { describe, expect, test } from 'vitest'
import { type Command, type Environment, readConfig, SettingsError } from '../config.ts'
import { rules } from './rules.ts'

const ISSUER = 'https://auth.example.org/realms/tfs'
const LOCAL_DB = 'postgres://app:secret@localhost/tfs'
const REMOTE_DB = 'postgres://app:secret@db.example.org/tfs'

function faultOf(env: Environment, command: Command, developer = false): string | undefined {
  try {
    readConfig(env, command, { developer })
    return undefined
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
}

/** Each start that must stop without a provider, and the setting its line names. */
const NEEDS_PROVIDER: ReadonlyArray<[string, Environment]> = [
  ['HOST', { HOST: '0.0.0.0' }],
  ['HOST', { HOST: '::' }],
  ['HOST', { HOST: '10.0.0.1' }],
  ['HOST', { HOST: '::1%lo' }],
  ['HOST', { HOST: 'localhost.evil.com' }],
  ['HOST', { HOST: 'tfs.example.org' }],
  ['NODE_ENV', { NODE_ENV: 'production' }],
  ['NODE_ENV', { NODE_ENV: ' Production ' }],
  ['DATABASE_URL', { DATABASE_URL: REMOTE_DB }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://app@0.0.0.0/tfs' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://app@localhost.evil.com/tfs' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://app@localhost,db.example.org/tfs' }],
  ['DATABASE_URL', { DATABASE_URL: 'postgres://app@db.example.org:1,127.0.0.1:2/tfs' }],
  ['DATABASE_READ_URL', { DATABASE_URL: LOCAL_DB, DATABASE_READ_URL: REMOTE_DB }],
  ['TFS_PUBLIC_URL', { TFS_PUBLIC_URL: 'https://tfs.example.org' }],
]

describe('without OIDC_ISSUER', () => {
  const starts: ReadonlyArray<[Command, boolean]> = [
    ['serve', false],
    ['serve', true],
    ['start', false],
    ['start', true],
  ]

  test.each(NEEDS_PROVIDER)('start and serve stop at %s: %j', (setting, env) => {
    for (const [command, developer] of starts) {
      const fault = faultOf(env, command, developer)
      expect(fault, `${command} ${developer}`).toMatch(new RegExp(`^${setting} .*OIDC_ISSUER`))
      expect(fault).not.toContain('secret')
    }
  })

  test.each(NEEDS_PROVIDER)('with it they go on (%s: %j)', (_, env) => {
    expect(faultOf({ ...env, OIDC_ISSUER: ISSUER }, 'serve')).toBeUndefined()
    expect(faultOf({ ...env, OIDC_ISSUER: ISSUER }, 'start')).toBeUndefined()
  })

  test.each(NEEDS_PROVIDER)('commands that do not listen go on (%s: %j)', (_, env) => {
    for (const command of ['migrate', 'seed', 'identity'] as const) {
      expect(faultOf(env, command), command).toBeUndefined()
    }
  })

  test.each([
    {},
    { HOST: 'localhost' },
    { HOST: '127.0.0.53' },
    { HOST: '[::1]' },
    { NODE_ENV: 'development' },
    { DATABASE_URL: LOCAL_DB },
    { DATABASE_URL: LOCAL_DB, DATABASE_READ_URL: LOCAL_DB },
    { DATABASE_URL: 'postgres://app@localhost:1,127.0.0.2:2,[::1]:3/tfs' },
    { DATABASE_URL: 'postgres://app@/tfs?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgres://app@%2Fvar%2Frun%2Fpostgresql/tfs' },
    { TFS_PUBLIC_URL: 'http://localhost:8080' },
  ])('start and serve go on with %j', (env) => {
    for (const [command, developer] of starts) {
      expect(faultOf(env, command, developer)).toBeUndefined()
    }
  })
})

describe('plain http', () => {
  const OFF_LOOPBACK = [
    'http://auth.example.org/realms/tfs',
    'http://localhost.evil.com/realms/tfs',
    'http://10.0.0.1/realms/tfs',
    'http://0.0.0.0/realms/tfs',
    'http://keycloak:8080/realms/tfs',
  ]

  test.each(OFF_LOOPBACK)('%s stops as issuer and as discovery without OIDC_ALLOW_HTTP', (url) => {
    for (const command of ['start', 'serve', 'migrate', 'seed', 'identity'] as const) {
      expect(faultOf({ OIDC_ISSUER: url }, command)).toMatch(/^OIDC_ISSUER is plain http/)
    }
    const env = { OIDC_ISSUER: ISSUER, OIDC_DISCOVERY_URL: url }
    expect(faultOf(env, 'serve')).toMatch(/^OIDC_DISCOVERY_URL is plain http/)
    expect(faultOf({ ...env, OIDC_ALLOW_HTTP: 'false' }, 'serve')).toMatch(/^OIDC_DISC/)
    expect(faultOf({ ...env, OIDC_ALLOW_HTTP: 'true' }, 'serve')).toBeUndefined()
    expect(faultOf({ OIDC_ISSUER: url, OIDC_ALLOW_HTTP: 'true' }, 'serve')).toBeUndefined()
  })

  test.each([
    'http://localhost:8180/realms/tfs',
    'http://127.0.0.1:8180/realms/tfs',
    'http://[::1]/x',
  ])('%s is on loopback', (url) => {
    expect(faultOf({ OIDC_ISSUER: url }, 'serve')).toBeUndefined()
  })
})

describe('settings that need another one', () => {
  test.each([
    ['OIDC_DISCOVERY_URL', { OIDC_DISCOVERY_URL: ISSUER }],
    ['DATABASE_ADMIN_URL', { DATABASE_ADMIN_URL: LOCAL_DB }],
    ['DATABASE_READ_URL', { DATABASE_READ_URL: LOCAL_DB }],
  ])('%s alone stops', (setting, env) => {
    for (const command of ['start', 'serve', 'migrate'] as const) {
      expect(faultOf(env, command)).toMatch(new RegExp(`^${setting} is set without`))
    }
  })
})

describe('ports', () => {
  test.each<[string, Command, Environment]>([
    ['PORT', 'serve', { PORT: '9464' }],
    ['PORT', 'start', { METRICS_PORT: '8080' }],
    ['AUTH_PORT', 'start', { AUTH_PORT: '8080' }],
    ['AUTH_PORT', 'start', { AUTH_PORT: '9464' }],
  ])('%s stops %s when another listener has it: %j', (setting, command, env) => {
    expect(faultOf(env, command)).toMatch(new RegExp(`^${setting} is the same`))
  })

  test.each<[Command, Environment]>([
    ['serve', { PORT: '0', METRICS_PORT: '0' }],
    ['serve', { PORT: '8180' }],
    ['start', { PORT: '8180', OIDC_ISSUER: ISSUER }],
    ['identity', { AUTH_PORT: '8080' }],
    ['migrate', { PORT: '9464' }],
  ])('%s goes on with %j', (command, env) => {
    expect(faultOf(env, command)).toBeUndefined()
  })
})

describe('each rule of the reference stops a start', () => {
  const samples: readonly Environment[] = [
    ...NEEDS_PROVIDER.map(([, env]) => env),
    { OIDC_ISSUER: ISSUER },
    { OIDC_ISSUER: 'http://auth.example.org' },
    { OIDC_ISSUER: ISSUER, OIDC_DISCOVERY_URL: 'http://auth.example.org' },
    { OIDC_DISCOVERY_URL: ISSUER },
    { DATABASE_ADMIN_URL: LOCAL_DB },
    { DATABASE_READ_URL: LOCAL_DB },
    { PORT: '9464' },
    { AUTH_PORT: '8080' },
  ]
  const faults = samples.flatMap((env) => [faultOf(env, 'start'), faultOf(env, 'start', true)])

  test.each(rules)('$when', ({ setting, fault, allowed }) => {
    expect(faults).toContain(`${setting} ${fault}. Allowed: ${allowed}.`)
  })
})
