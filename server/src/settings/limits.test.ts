import { describe, expect, test } from 'vitest'
import { readConfig, SettingsError } from '../config.ts'
import { type SettingName, settingNames } from './table.ts'

const DB = 'postgres://app:secret@localhost:5432/tfs'
const ISSUER = 'https://auth.example.org/realms/tfs'
const name = (length: number) => 'x'.repeat(length)
const origins = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://o${index}.example.org`).join(',')
const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`).join(',')

interface Limits {
  readonly good: readonly string[]
  readonly bad: readonly string[]
  /** Settings without which this one may not stand. */
  readonly beside?: Readonly<Record<string, string>>
}

const port = (...least: string[]): Limits => ({
  good: [...least, '1', '80', '65535', '00443'],
  bad: ['65536', '-1', '1.5', '1e3', '0x50', '80x', '8 0', '٣', 'tcp://10.0.0.1:80', name(400)],
})
const databases: Limits = { good: [DB], bad: ['mysql://a@localhost/b', 'tfs'] }
const rate: Limits = {
  good: ['0', '1', '1000000'],
  bad: ['-1', '1000001', '1.5', 'none', '9'.repeat(400)],
}
const directories: Limits = { good: ['.', 'a b', '/var/lib/tfs'], bad: ['memory://', 'a\0b'] }
const onOff: Limits = {
  good: ['true', 'on', 'false', 'off'],
  bad: ['TRUE', '1', 'yes', 'constructor', '__proto__'],
}

const LIMITS: Readonly<Record<SettingName, Limits>> = {
  HOST: {
    good: ['localhost', 'LOCALHOST', 'localhost.', '127.0.0.1', '127.9.9.9', '::1', '[::1]'],
    bad: [
      '127.1',
      '1234',
      'localhost:80',
      '127.0.0.1:80',
      '[::1]:80',
      '[127.0.0.1]',
      'a b',
      '*',
    ].concat(['http://localhost', '-a', 'a_b', 'a..b', `${name(64)}.org`, 'tfs@localhost', '::g']),
  },
  PORT: port('0'),
  AUTH_PORT: { ...port(), bad: ['0', ...port().bad] },
  METRICS_PORT: port('0'),
  OIDC_ISSUER: { good: [ISSUER], bad: ['auth.example.org', 'ftp://auth.example.org'] },
  OIDC_DISCOVERY_URL: {
    good: ['https://inner.example.org/x?tenant=1', 'http://localhost:8080/x'],
    bad: ['inner/x', 'https://u:p@inner/x', 'https://inner/x#y', 'https:/inner'],
    beside: { OIDC_ISSUER: ISSUER },
  },
  OIDC_ALLOW_HTTP: onOff,
  OIDC_AUDIENCE: { good: ['a', name(255)], bad: [name(256), 'a b', 'a,b', 'ä'] },
  OIDC_CLIENTS: {
    good: ['tfs-ops', 'a , b', names(100), name(255)],
    bad: [',', 'a,', 'a,,b', '*', 'a,*', names(101), name(256), 'a b', 'ä'],
  },
  OIDC_MAX_TOKEN_LIFE: {
    good: ['60', '86400', '2592000'],
    bad: ['0', '59', '2592001', '86400s', '-60', '1e5'],
  },
  OIDC_PERSON_CLAIM: {
    good: ['e', 'employee_number', 'https://example.org/employee', name(128)],
    bad: [name(129), '__proto__', '1a', 'a b', 'a,b', '$'],
  },
  TFS_PASSWORD_GRANT: onOff,
  DATABASE_URL: databases,
  DATABASE_ADMIN_URL: { ...databases, beside: { DATABASE_URL: DB } },
  DATABASE_READ_URL: { ...databases, beside: { DATABASE_URL: DB } },
  IDENTITY_DATABASE_URL: databases,
  TFS_DATA_DIR: directories,
  TFS_KEY_DIR: directories,
  TFS_SURFACE: { good: ['all', 'ops', 'customer'], bad: ['All', 'none', 'ops,customer'] },
  TFS_PUBLIC_URL: {
    good: ['http://localhost:8080', 'http://localhost:8080/', 'http://127.0.0.1'],
    bad: ['localhost:8080', 'http://localhost/x', 'http://localhost/?x', 'http://u@localhost'],
  },
  TFS_TRUST_PROXY: {
    good: ['none', '1', '10', '10.0.0.1', '10.0.0.0/1', '10.0.0.1/32', 'fd00::/8, ::1/128'],
    bad: ['0', '11', 'true', 'all', '*', 'loopback', 'proxy.example.org', '10.0.0.1,']
      .concat(['0.0.0.0/0', '::/0', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0.0/', '::1%lo'])
      .concat(['10.0.0.0/255.0.0.0', '10.0.0.0/08', '300.0.0.1', '1,10.0.0.1']),
  },
  TFS_CORS_ORIGINS: {
    good: ['https://a.example.org', 'http://localhost:5173,https://b.org', origins(50)],
    bad: ['*', 'null', 'https://a.org/', 'https://a.org/x', 'https://A.org', 'https://a.org:443']
      .concat(['https://*.a.org', 'https://u:p@a.org', 'https://a.org?x', 'a.org', origins(51)])
      .concat(['ftp://a.org', 'https://a.org,', 'https://a.org https://b.org', 'file:///x']),
  },
  NODE_ENV: { good: ['development', 'test', '', ' ', 'a\nb', 'productive'], bad: [] },
  TFS_TIME_ZONE: {
    good: ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
    bad: ['Mars/Olympus', '+01:00', 'Europe/Berlin; drop', '../etc/localtime', 'CET-1CEST,M3'],
  },
  TFS_RATE_LIMIT_READS: rate,
  TFS_RATE_LIMIT_WRITES: rate,
  LOG_LEVEL: {
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    bad: ['INFO', 'verbose', '30', 'info,debug'],
  },
}

const cases = settingNames.flatMap((setting) => {
  const { good, bad, beside } = LIMITS[setting]
  const blank = setting === 'NODE_ENV' ? [] : ['', ' ', '\t\n', ` ${good[0]}`, `${good[0]}\n`]
  return { setting, good, bad: [...bad, ...blank], beside }
})

describe.each(cases)('$setting', ({ setting, good, bad, beside }) => {
  test.each(good)('%j is taken', (text) => {
    readConfig({ ...beside, [setting]: text }, 'serve')
  })

  test.skipIf(bad.length === 0).each(bad)('%j stops the start with one line', (text) => {
    let caught: unknown
    try {
      readConfig({ ...beside, [setting]: text }, 'serve')
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(SettingsError)
    const { message, setting: named } = caught as SettingsError
    expect(named).toBe(setting)
    expect(message.startsWith(`${setting} `)).toBe(true)
    expect(message).toContain('. Allowed: ')
    expect(message).not.toMatch(/[\r\n\u2028\u2029]/)
  })
})

test('a short harmless value is shown, a long one and one that may hold a secret are not', () => {
  const messageOf = (text: string) => {
    try {
      readConfig({ PORT: text }, 'serve')
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }
  expect(messageOf('80x')).toBe(
    'PORT is not a whole number ("80x"). Allowed: a whole number from 0 to 65535; `0` takes any free port.',
  )
  for (const text of ['x'.repeat(41), 'user:secret@host', 'password=secret', 'postgres://h/d']) {
    expect(messageOf(text)).not.toContain(text)
  }
})
