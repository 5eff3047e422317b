import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from './caller.ts'
import { accessErrors } from './errors.ts'

/** Spec 5.6.1. */
export const DEVELOPER_HEADERS = [
  'x-dev-user',
  'x-dev-permissions',
  'x-dev-party',
  'x-dev-partner',
] as const

const LONGEST_ID = 64
/** As long as a user name in a token may be. */
const LONGEST_USERNAME = 255
const NAMES_SHOWN = 8

/** Any spelling that a proxy or a framework could fold into one of ours. */
const DEVELOPER_HEADER = /^x[-_]dev(?:[-_]|$)/i

/** Names as sent. Looks at the raw lines: presence counts, an empty value too (spec 5.6.4). */
export function developerHeadersIn(rawHeaders: readonly string[]): string[] {
  const found: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    const first = name.charCodeAt(0)
    if ((first === 120 || first === 88) && DEVELOPER_HEADER.test(name)) found.push(name)
  }
  return found
}

/** Spec 5.6.2: every deployed environment refuses developer headers. */
export function requireNoDeveloperHeaders(rawHeaders: readonly string[]): void {
  const found = developerHeadersIn(rawHeaders)
  if (found.length === 0) return
  const names = [...new Set(found.map((name) => name.toLowerCase()))].slice(0, NAMES_SHOWN)
  throw accessErrors['MSG-G-12'](
    `This deployment uses an identity provider, so it refuses developer headers (${names.join(', ')}). ` +
      'Remove them and send an access token; developer headers work only on a platform that was started without a provider.',
    { headers: names },
  )
}

/** Spec 5.6.3: without a provider the headers are taken verbatim. */
export function developerCallerOf(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
): Caller {
  if (!DEVELOPER_HEADERS.some((name) => headers[name] !== undefined)) {
    throw accessErrors.UNAUTHENTICATED(
      headers.authorization === undefined
        ? 'This platform runs in developer mode: send x-dev-user and x-dev-permissions.'
        : 'This platform runs in developer mode, without an identity provider, so it cannot check a token. ' +
            'Send x-dev-user and x-dev-permissions instead.',
      {},
      { 'www-authenticate': 'Bearer realm="tfs"' },
    )
  }
  const username = usernameOf(single('x-dev-user', headers, rawHeaders))
  const permissions = (headers['x-dev-permissions']?.toString() ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter((code) => code !== '')
  const partyId = single('x-dev-party', headers, rawHeaders)
  const partnerId = single('x-dev-partner', headers, rawHeaders)
  if (partyId !== undefined && !isId(partyId)) {
    throw accessErrors.PARTY_REQUIRED(`x-dev-party must have 1 to ${LONGEST_ID} characters.`)
  }
  if (partnerId !== undefined && !isId(partnerId)) {
    throw accessErrors.PARTNER_REQUIRED(`x-dev-partner must have 1 to ${LONGEST_ID} characters.`)
  }
  return Object.freeze({
    subject: `dev:${username}`,
    username,
    human: !username.startsWith('service-account-'),
    permissions: new Set(permissions),
    ...(partyId !== undefined && { partyId }),
    ...(partnerId !== undefined && { partnerId }),
    mode: 'developer' as const,
  })
}

function usernameOf(sent: string | undefined): string {
  const username = sent?.trim() || 'dev'
  if (username.length <= LONGEST_USERNAME) return username
  throw accessErrors.AUTHORIZATION_MALFORMED(
    `x-dev-user must have at most ${LONGEST_USERNAME} characters.`,
  )
}

function isId(value: string): boolean {
  return value.length >= 1 && value.length <= LONGEST_ID
}

/** Node joins repeated lines; two users in one request are nobody. */
function single(
  name: string,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
): string | undefined {
  const lines = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === name)
  if (lines.length > 1) {
    throw accessErrors.AUTHORIZATION_MALFORMED(`${name} was sent more than once; send it once.`)
  }
  return headers[name]?.toString()
}
