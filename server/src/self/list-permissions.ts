import { Type } from 'typebox'
import { codesOf, type PermissionMeanings } from '../access/permissions.ts'
import { API_PREFIX, IDENTITY_ONLY, query, type Route } from '../http/route.ts'

const PermissionList = Type.Object({
  items: Type.Array(
    Type.Object({
      code: Type.String(),
      meaning: Type.String(),
      operations: Type.Array(
        Type.Object({ id: Type.String(), method: Type.String(), path: Type.String() }),
      ),
    }),
  ),
})

/** The catalogue as it is enforced: made from the same declarations as the guards. */
export function listPermissionsOf(catalogue: PermissionMeanings, routes: readonly Route[]): Route {
  const items = Object.entries(catalogue).map(([code, meaning]) => ({
    code,
    meaning,
    operations: routes
      .filter(({ permission }) => isOpenedBy(permission, code))
      .map(({ id, method, path }) => ({ id, method, path: API_PREFIX + path })),
  }))
  return query({
    id: 'listPermissions',
    surface: 'operations',
    path: '/permissions',
    summary: 'Every permission code, what it means and which operations it opens.',
    permission: IDENTITY_ONLY,
    reply: PermissionList,
    run: () => ({ items }),
  })
}

function isOpenedBy(permission: Route['permission'], code: string): boolean {
  return permission !== IDENTITY_ONLY && (codesOf(permission) as readonly string[]).includes(code)
}
