import { describe, expect, test } from 'vitest'
import { settings, settingsReference } from '../config.ts'

/** Platform contract, section 1. */
const CONTRACT = [
  'HOST PORT AUTH_PORT OIDC_ISSUER OIDC_DISCOVERY_URL OIDC_ALLOW_HTTP OIDC_AUDIENCE OIDC_CLIENTS',
  'OIDC_MAX_TOKEN_LIFE OIDC_PERSON_CLAIM DATABASE_URL DATABASE_ADMIN_URL DATABASE_READ_URL',
  'IDENTITY_DATABASE_URL TFS_DATA_DIR TFS_KEY_DIR TFS_SURFACE TFS_PUBLIC_URL TFS_TRUST_PROXY',
  'TFS_CORS_ORIGINS TFS_PASSWORD_GRANT TFS_TIME_ZONE TFS_RATE_LIMIT_READS TFS_RATE_LIMIT_WRITES',
  'METRICS_PORT LOG_LEVEL NODE_ENV',
].flatMap((line) => line.split(' '))

describe('the reference', () => {
  test('has every setting of the contract once, and no other', () => {
    expect(settings.map(({ name }) => name).sort()).toEqual(CONTRACT.sort())
  })

  test.each(settings)('says all of $name in one row', (setting) => {
    const rows = settingsReference()
      .split('\n')
      .filter((line) => line.startsWith(`| \`${setting.name}\` |`))
    expect(rows).toEqual([
      `| \`${setting.name}\` | ${setting.default} | ${setting.meaning} | ${setting.allowed} |`,
    ])
    expect(setting.meaning).toMatch(/^[A-Z`].*[^.]\.$/)
  })

  test('ends with one line break and has no blank at the end of a line', () => {
    expect(settingsReference()).toMatch(/[^\n]\n$/)
    expect(settingsReference()).not.toMatch(/ $/m)
  })
})
