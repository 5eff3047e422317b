import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Command, type Environment, readConfig, SettingsError } from '../config.ts'
import { settingNames } from './table.ts'

const PASSWORD = 'hunter2-Zq9'
const RUNS = 3000

const password = fc.constantFrom(PASSWORD, `${PASSWORD}%`, `${PASSWORD}@`, `${PASSWORD}/`, PASSWORD)
const host = fc.constantFrom('localhost', 'db.example.org', '[::1]', 'a,b', '', '127.1', '%zz')
const tail = fc.constantFrom(
  '',
  '/tfs',
  '/tfs?sslmode=x',
  '/tfs#x',
  '/a/b',
  '?host=/run',
  '\n',
  ' ',
)
const scheme = fc.constantFrom('postgres://', 'postgresql://', 'https://', 'http://', 'mysql:', '')

const secretUrl = fc
  .tuple(scheme, fc.constantFrom('app', '', 'a b', 'ä'), password, host, tail)
  .map(([start, user, secret, place, end]) => `${start}${user}:${secret}@${place}${end}`)

const goodText = fc.constantFrom(
  'localhost',
  '8080',
  'https://auth.example.org/realms/tfs',
  'postgres://app@localhost/tfs',
  'all',
  'true',
  'none',
  'UTC',
  'info',
)
const text = fc.oneof(
  secretUrl,
  goodText,
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.integer().map(String),
  fc.ipV6(),
)
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...settingNames) },
  { weight: 1, arbitrary: fc.constantFrom(...settingNames).map((one) => `${one}_FILE`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'binary', maxLength: 12 }).map((end) => `TFS_${end}`),
  },
)
const environments = fc.dictionary(name, text, { maxKeys: 5 })
const commands = fc.constantFrom<Command>('start', 'serve', 'migrate', 'seed', 'identity')

function outcomeOf(env: Environment, command: Command, developer: boolean) {
  try {
    return readConfig(env, command, { developer })
  } catch (error) {
    return error
  }
}

describe('whatever the environment holds', () => {
  test('the answer is a frozen config or one line without any password', () => {
    const seen = { refused: 0, taken: 0 }
    fc.assert(
      fc.property(environments, commands, fc.boolean(), (env, command, developer) => {
        const outcome = outcomeOf(env, command, developer)
        if (outcome instanceof SettingsError) {
          seen.refused += 1
          expect(outcome.message).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
          expect(outcome.message).not.toContain(PASSWORD)
          expect(outcome.message).toMatch(/. Allowed: .+\.$/)
        } else {
          seen.taken += 1
          expect(outcome).not.toBeInstanceOf(Error)
          expect(Object.isFrozen(outcome)).toBe(true)
        }
      }),
      { numRuns: RUNS },
    )
    // Both sides must have been tried, else the property says nothing.
    expect(Math.min(seen.refused, seen.taken)).toBeGreaterThan(RUNS / 100)
  })

  test('developer mode never starts with OIDC_ISSUER set, whatever it holds', () => {
    fc.assert(
      fc.property(text, environments, commands, fc.boolean(), (issuer, env, command, developer) => {
        const outcome = outcomeOf({ ...env, OIDC_ISSUER: issuer }, command, developer)
        if (!(outcome instanceof Error)) expect(outcome).toMatchObject({ mode: 'token' })
      }),
      { numRuns: RUNS },
    )
  })
})
