import { isJsonObject, type JsonObject, memberOf } from './json-object.ts'

/**
 * Security rule 4: the strings in `realm_access.roles`, compared as they are. Any other shape means
 * no permissions. Codes that the platform does not know are left out (platform contract, section 2).
 */
export function permissionsOf(
  claims: JsonObject,
  isKnown: (code: string) => boolean,
): ReadonlySet<string> {
  const access = memberOf(claims, 'realm_access')
  const roles = isJsonObject(access) ? memberOf(access, 'roles') : undefined
  if (!Array.isArray(roles)) return unchangingSet([])
  return unchangingSet(
    roles.filter((role): role is string => typeof role === 'string' && isKnown(role)),
  )
}

/** A cached caller serves many requests: none of them may widen what the next one is allowed. */
function unchangingSet(values: readonly string[]): ReadonlySet<string> {
  const set = new Set(values)
  return Object.freeze(Object.assign(set, { add: refuse, delete: refuse, clear: refuse }))
}

function refuse(): never {
  throw new TypeError('The permissions of a caller cannot be changed.')
}
