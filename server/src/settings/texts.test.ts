import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const directory = mkdtempSync(join(tmpdir(), 'tfs-settings-'))
afterAll(() => rmSync(directory, { recursive: true }))

let files = 0
function fileOf(content: string | Uint8Array): string {
  files += 1
  const path = join(directory, `value-${files}`)
  writeFileSync(path, content)
  return path
}

const URL = 'postgres://app:hunter2@localhost/tfs'

describe('a setting from a file', () => {
  test.each([
    ['', URL],
    ['one line break', `${URL}\n`],
    ['one line break of Windows', `${URL}\r\n`],
  ])('its text is the value (%s at the end)', (_, content) => {
    const config = readConfig({ DATABASE_URL_FILE: fileOf(content) }, 'serve')
    expect(config.databases.application?.url).toBe(URL)
  })

  test('every kind of setting can come from one', () => {
    const env = { OIDC_ISSUER_FILE: fileOf('https://a.example.org\n'), PORT_FILE: fileOf('81') }
    const config = readConfig(env, 'serve')
    expect([config.oidc?.issuer, config.port]).toEqual(['https://a.example.org', 81])
  })

  test.each([
    ['DATABASE_URL is set but empty', ''],
    ['DATABASE_URL is set but empty', '\n'],
    ['DATABASE_URL has white space around its value', `${URL}\n\n`],
    ['DATABASE_URL has white space around its value', ` ${URL}`],
    ['DATABASE_URL has a control character', `${URL}\n${URL}`],
    ['DATABASE_URL_FILE names a file that is too large', 'x'.repeat(16_385)],
    ['DATABASE_URL_FILE names a file that cannot be read', Uint8Array.of(0xff, 0xfe, 0xff)],
  ])('%s', (line, content) => {
    const env = { DATABASE_URL_FILE: fileOf(content) }
    expect(() => readConfig(env, 'serve')).toThrow(new RegExp(`^${line}(?!.*hunter2)`))
  })

  test('an empty OIDC_ISSUER_FILE never means developer mode', () => {
    expect(() => readConfig({ OIDC_ISSUER_FILE: fileOf('') }, 'serve')).toThrow(
      'OIDC_ISSUER is set',
    )
    expect(() => readConfig({ OIDC_ISSUER_FILE: '' }, 'serve')).toThrow('OIDC_ISSUER_FILE names')
  })

  test('both variants at once stop, whatever they hold', () => {
    const line = 'DATABASE_URL and DATABASE_URL_FILE are both set. Allowed: one of the two.'
    const both = { DATABASE_URL: URL, DATABASE_URL_FILE: fileOf(URL) }
    expect(() => readConfig(both, 'serve')).toThrow(line)
    expect(() => readConfig({ ...both, DATABASE_URL: '' }, 'serve')).toThrow(line)
  })

  test.each([
    ['a missing file', join(directory, 'missing'), /cannot be read \(ENOENT\)/],
    ['a directory', directory, /does not name a file/],
    ['an endless device', '/dev/zero', /does not name a file/],
    ['a path with a zero', 'a\0b', /cannot be read/],
    ['the secret itself', URL, /cannot be read \(ENOENT\)/],
  ])('%s stops without showing the path', (_, path, line) => {
    const start = () => readConfig({ DATABASE_URL_FILE: path }, 'serve')
    expect(start).toThrow(line)
    expect(start).not.toThrow(/hunter2|tfs-settings-/)
  })
})
