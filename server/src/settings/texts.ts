import { readFileSync, statSync } from 'node:fs'
import type { Refuse } from './kind.ts'
import { type Environment, FILE_SUFFIX } from './names.ts'
import { SettingsError } from './settings-error.ts'
import { declarationOf, type SettingName, settingNames, type Values } from './table.ts'

const LONGEST_TEXT = 16_384
const ALLOWED_FILE = 'the path of a readable UTF-8 file that holds the value'

/** Every setting, parsed; the first fault stops. */
export function valuesOf(env: Environment): Values {
  const values: Partial<Record<SettingName, unknown>> = {}
  for (const name of settingNames) {
    const { kind, ...declaration } = declarationOf(name)
    const refuse: Refuse = (fault) => {
      throw new SettingsError(name, fault, kind.allowed)
    }
    const text = kind.foreign ? env[name] : textOf(env, name, refuse)
    const read = text ?? ('default' in declaration ? declaration.default : undefined)
    values[name] = read === undefined ? undefined : kind.parse(read, refuse)
  }
  return values as Values
}

function textOf(env: Environment, name: SettingName, refuse: Refuse): string | undefined {
  const path = env[name + FILE_SUFFIX]
  if (path !== undefined && env[name] !== undefined) {
    throw new SettingsError(name, `and ${name}${FILE_SUFFIX} are both set`, 'one of the two')
  }
  const text = path === undefined ? env[name] : fileText(name + FILE_SUFFIX, path)
  if (text === undefined) return undefined
  // An empty value never means "unset": it would silently choose the default.
  if (text.trim() === '') refuse('is set but empty')
  if (text !== text.trim()) refuse('has white space around its value')
  if (/\p{Cc}/u.test(text)) refuse('has a control character')
  if (text.length > LONGEST_TEXT) refuse('is too long')
  return text
}

/** The path stays out of the message: it may be the secret itself, put into the wrong variable. */
function fileText(name: string, path: string): string {
  try {
    const stat = statSync(path)
    if (!stat.isFile()) throw new SettingsError(name, 'does not name a file', ALLOWED_FILE)
    if (stat.size > LONGEST_TEXT) {
      throw new SettingsError(name, 'names a file that is too large', ALLOWED_FILE)
    }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return text.replace(/\r?\n$/, '')
  } catch (error) {
    if (error instanceof SettingsError) throw error
    throw new SettingsError(name, `names a file that cannot be read${codeOf(error)}`, ALLOWED_FILE)
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}
