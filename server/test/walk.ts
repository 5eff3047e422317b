import { codesOf } from '../src/access/permissions.ts'
import { API_PREFIX, IDENTITY_ONLY, type Route } from '../src/http/route.ts'
import { allRoutes, permissionCatalogue } from '../src/surfaces.ts'

/** What a walk over every route needs: paths, permissions and items, for routes not yet written too. */

export type Parameters = Readonly<Record<string, string>>

export const UNKNOWN_ID = 'unknown_0000000000'

/** The route's address; parameters that are not given name nothing. */
export function targetOf(route: Route, parameters: Parameters = {}): string {
  const path = route.path.replace(/:([^/]+)/g, (_, name: string) => parameters[name] ?? UNKNOWN_ID)
  return API_PREFIX + path
}

export function codesOfRoute({ permission }: Route): readonly string[] {
  return permission === IDENTITY_ONLY ? [] : codesOf(permission)
}

const MARK_OF_PARTNER_STAFF = 'scope:partner'

export const everyPermission: readonly string[] = Object.keys(permissionCatalogue).filter(
  (code) => code !== MARK_OF_PARTNER_STAFF,
)

/** Every permission there is, but none that opens the route. */
export function permissionsBut(route: Route): string[] {
  const opening = codesOfRoute(route)
  return everyPermission.filter((code) => !opening.includes(code))
}

export const guardedRoutes: readonly Route[] = allRoutes.filter(
  ({ permission }) => permission !== IDENTITY_ONLY,
)

interface SchemaNode {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaNode[]
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly minProperties?: number
  readonly pattern?: string
}

/** The least body that a route's schema takes: required members alone. */
export function leastBodyOf({ body }: Route): unknown {
  return body === undefined ? undefined : leastOf(body as SchemaNode)
}

function leastOf(node: SchemaNode): unknown {
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  if (node.anyOf) return leastOf(node.anyOf[0] as SchemaNode)
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        leastNamesOf(node).map((name) => [name, leastOf(node.properties?.[name] ?? {})]),
      )
    case 'array':
      return []
    case 'integer':
    case 'number':
      return node.minimum ?? 1
    case 'boolean':
      return true
    default:
      return SAMPLES.find((text) => new RegExp(node.pattern ?? '').test(text))
  }
}

const SAMPLES = [
  'as agreed',
  'WALK-0',
  '2027-01-31',
  'EUR',
  'DE',
  'de',
  '+4930123456',
  'a@example.org',
]

function leastNamesOf({ properties = {}, required = [], minProperties = 0 }: SchemaNode) {
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return [...required, ...optional.slice(0, Math.max(0, minProperties - required.length))]
}
