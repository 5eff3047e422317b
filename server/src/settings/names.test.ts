import { describe, expect, test } from 'vitest'
import { type Environment, readConfig } from '../config.ts'

const start = (env: Environment) => () => readConfig(env, 'serve')

describe('a variable that is no setting', () => {
  test.each([
    ['OIDC_ISSUR', 'OIDC_ISSUER'],
    ['OIDC_ISSUER_URL', 'OIDC_ISSUER'],
    ['oidc_issuer', 'OIDC_ISSUER'],
    ['OIDC_CLIENT', 'OIDC_CLIENTS'],
    ['TFS_OIDC_ISSUER', 'OIDC_ISSUER'],
    ['TFS_PORT', 'PORT'],
    ['TFS_LOG_LEVEL', 'LOG_LEVEL'],
    ['TFS_DATADIR', 'TFS_DATA_DIR'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL'],
    ['Tfs_Surface', 'TFS_SURFACE'],
    // Not our prefix, yet a slip that would start developer mode or another database.
    ['OICD_ISSUER', 'OIDC_ISSUER'],
    ['ODIC_ISSUER', 'OIDC_ISSUER'],
    ['OIDC-ISSUER', 'OIDC_ISSUER'],
    ['OIDCISSUER', 'OIDC_ISSUER'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['IDENTITY_DATABASE_ULR', 'IDENTITY_DATABASE_URL'],
    ['DATABSE_URL_FILE', 'DATABASE_URL_FILE'],
  ])('%s stops the start and suggests %s', (name, meant) => {
    expect(start({ [name]: 'x' })).toThrow(
      `${name} is not a setting (did you mean ${meant}?). Allowed: the names in docs/reference/settings.md.`,
    )
    expect(start({ [name]: '' }), 'empty').toThrow('is not a setting')
    expect(start({ [name]: undefined }), 'undefined').not.toThrow()
  })

  test.each(['TFS_COLOUR_OF_THE_SKY', 'DATABASE_PASSWORD', 'OIDC_', 'TFS_\nX'])(
    '%j stops the start without a suggestion where none is near',
    (name) => {
      expect(start({ [name]: 'hunter2' })).toThrow(/^(?!.*(did you mean|hunter2)).*not a setting/)
    },
  )

  test('a very long name is cut', () => {
    expect(start({ [`TFS_${'X'.repeat(5000)}`]: 'x' })).toThrow(/^TFS_X{56} is not a setting/)
  })
})

describe('a variable of somebody else', () => {
  test.each([
    ['PATH', '/bin'],
    ['PGPASSWORD', 'x'],
    ['AUTH_HOST', 'x'],
    ['NFS_DATA_DIR', 'x'],
    ['IDENTITY_ENDPOINT', 'x'],
    ['NODE_ENV_FILE', 'x'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['TFS_CLI_URL', 'x'],
    ['TFS_TEST_DATABASE_URL', 'x'],
    ['TFS_BENCH_SECONDS', 'x'],
    ['TFS_SERVICE_HOST', '10.0.0.1'],
    ['TFS_SERVICE_PORT', '8080'],
    ['TFS_SERVICE_PORT_HTTP', '8080'],
    ['TFS_PORT', 'tcp://10.0.0.1:8080'],
    ['TFS_PORT_8080_TCP', 'tcp://10.0.0.1:8080'],
    ['TFS_PORT_8080_TCP_ADDR', '10.0.0.1'],
    ['DATABASE_SERVICE_HOST', '10.0.0.1'],
    ['DATABASE_PORT_5432_TCP_PROTO', 'tcp'],
  ])('%s=%s is passed over', (name, text) => {
    expect(start(Object.fromEntries([[name, text]]))).not.toThrow()
  })
})
