import { folded } from '../../base/folded.ts'

const USERNAME = /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,63}$/u
const PERMISSION_CODE = /^[a-z-]+:[a-z-]+$/
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/
const SERVICE_ACCOUNT = 'service-account-'
const SHORTEST_PASSWORD = 12
const LONGEST_PASSWORD = 256
const LONGEST_NAME = 100
const LONGEST_LINK = 64
const CONTROL = /\p{Cc}/u

export function requireUsername(username: string): void {
  if (!USERNAME.test(username)) {
    throw new Error(
      'A user name has 1 to 64 letters, digits or . _ @ + - and begins with a letter or digit.',
    )
  }
  // The API takes callers of such names for programs, which decide nothing.
  if (folded(username).startsWith(SERVICE_ACCOUNT)) {
    throw new Error(`A user name must not begin with ${SERVICE_ACCOUNT}.`)
  }
}

/** NIST SP 800-63B: length, not composition; and nothing that is known beforehand. */
export function requireNewPassword(password: string, username: string): void {
  const length = [...password].length
  if (length < SHORTEST_PASSWORD || password.length > LONGEST_PASSWORD) {
    throw new Error(
      `A password has ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters; this one has ${length}.`,
    )
  }
  if (folded(password).includes(folded(username))) {
    throw new Error('A password must not contain the user name.')
  }
}

export function requirePermissionCodes(codes: readonly string[]): void {
  const wrong = codes.find((code) => !PERMISSION_CODE.test(code))
  if (wrong !== undefined) {
    throw new Error(`${JSON.stringify(wrong)} is no permission code such as contract:read.`)
  }
}

export function requireLink(name: 'partyId' | 'partnerId', link: string | null): void {
  if (link === null) return
  if (link.trim() === '' || link.length > LONGEST_LINK || CONTROL.test(link)) {
    throw new Error(`${name} has 1 to ${LONGEST_LINK} characters.`)
  }
}

export function requirePersonName(what: string, name: string | null): void {
  if (name === null) return
  if (name.trim() === '' || name.length > LONGEST_NAME || CONTROL.test(name)) {
    throw new Error(`The ${what} has 1 to ${LONGEST_NAME} characters.`)
  }
}

export function requireEmail(email: string | null): void {
  if (email !== null && !EMAIL.test(email)) throw new Error('The e-mail address is not one.')
}
