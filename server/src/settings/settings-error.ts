const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu
/** No `@` and no `=`: whatever could carry a password is never repeated. */
const SHOWABLE = /^[\w.,:+/-]{1,40}$/

/** A bad setting: one line that names it, what is wrong and what is allowed. */
export class SettingsError extends Error {
  readonly setting: string

  constructor(setting: string, fault: string, allowed: string) {
    super(`${setting} ${fault}. Allowed: ${allowed}.`.replace(UNPRINTABLE, ' '))
    this.name = 'SettingsError'
    this.setting = setting
  }
}

/** The faulty text for the message, or nothing where it might be a secret. */
export function quoted(text: string): string {
  return SHOWABLE.test(text) && !text.includes('://') ? ` ("${text}")` : ''
}
