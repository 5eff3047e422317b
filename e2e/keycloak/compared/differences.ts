import { isDeepStrictEqual } from 'node:util'

export interface Difference {
  /** JSON pointer into the recordings; its first name is the document. */
  readonly pointer: string
  readonly keycloak: unknown
  readonly embedded: unknown
}

/** Named alike at both, but every provider, account and demo story has its own. */
const OPAQUE = new Set(['kid', 'sid', 'session_state', 'sub', 'jti', 'partyId', 'partnerId'])

/** Where two providers say different things; what is opaque to clients counts by its presence. */
export function differencesOf(keycloak: unknown, embedded: unknown, pointer = ''): Difference[] {
  if (isMembers(keycloak) && isMembers(embedded)) {
    const names = new Set([...Object.keys(keycloak), ...Object.keys(embedded)])
    return [...names]
      .toSorted()
      .flatMap((name) =>
        isOpaque(name, keycloak, embedded)
          ? []
          : differencesOf(keycloak[name], embedded[name], `${pointer}/${name}`),
      )
  }
  return isDeepStrictEqual(keycloak, embedded) ? [] : [{ pointer, keycloak, embedded }]
}

type Members = Readonly<Record<string, unknown>>

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOpaque(name: string, ...sides: readonly [Members, Members]): boolean {
  return OPAQUE.has(name) && sides.every((side) => typeof side[name] === 'string')
}

/** `*` in a pattern stands for any one name. */
export function isAt(pattern: string, pointer: string): boolean {
  const [wanted, found] = [pattern.split('/'), pointer.split('/')]
  return (
    wanted.length === found.length &&
    wanted.every((name, index) => name === '*' || name === found[index])
  )
}
