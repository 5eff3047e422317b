import type { Caller } from '../caller.ts'
import { isJsonObject, type JsonObject, memberOf } from './json-object.ts'
import { isText } from './text-claim.ts'

type Actor = NonNullable<Caller['actor']>

const LONGEST_NAME = 255

/**
 * Keycloak's session notes IMPERSONATOR_ID, …_USERNAME, …_CLIENT, …_TARGETCLIENT come as
 * `impersonator: {id, username}` by default; whoever configures the mapper may spell them otherwise.
 * Compared in lower case without separators.
 */
const NOTE_NAMES: ReadonlyMap<string, 'whole' | 'id' | 'username' | 'present'> = new Map([
  ['impersonator', 'whole'],
  ['impersonatorid', 'id'],
  ['impersonatoruserid', 'id'],
  ['impersonatorsub', 'id'],
  ['impersonatorusername', 'username'],
  ['impersonatorname', 'username'],
  ['impersonatorclient', 'present'],
  ['impersonatortargetclient', 'present'],
])
const SEPARATORS = /[._-]/g

/**
 * Who acts as the subject: the `act` claim (RFC 8693, section 4.1) or Keycloak's impersonator note.
 * Presence decides: a malformed one still marks an impersonated session, which only reads.
 */
export function actorOf(claims: JsonObject, realm: string): Actor | undefined {
  if (Object.hasOwn(claims, 'act')) {
    const act = claims['act']
    if (!isJsonObject(act)) return named(realm, undefined, undefined)
    return named(realm, memberOf(act, 'sub'), memberOf(act, 'preferred_username'))
  }
  return noted(claims, realm)
}

function noted(claims: JsonObject, realm: string): Actor | undefined {
  let present = false
  let id: unknown
  let username: unknown
  for (const [name, value] of Object.entries(claims)) {
    const meaning = NOTE_NAMES.get(name.toLowerCase().replaceAll(SEPARATORS, ''))
    if (meaning === undefined) continue
    present = true
    if (meaning === 'id') id = value
    else if (meaning === 'username') username = value
    else if (meaning === 'whole' && isJsonObject(value)) {
      id = memberOf(value, 'id') ?? memberOf(value, 'sub')
      username = memberOf(value, 'username')
    } else if (meaning === 'whole') username = value
  }
  return present ? named(realm, id, username) : undefined
}

/** Without a usable id the subject ends in `#`, which no caller's does: `sub` is never empty. */
function named(realm: string, id: unknown, username: unknown): Actor {
  const subject = `${realm}#${isText(id, LONGEST_NAME) ? id : ''}`
  return Object.freeze(isText(username, LONGEST_NAME) ? { subject, username } : { subject })
}
