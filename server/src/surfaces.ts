import { accessErrors } from './access/errors.ts'
import { accessPermissions, codesOf, type PermissionMeanings } from './access/permissions.ts'
import { approvalRoutes } from './approvals/index.ts'
import { auditPermissions, auditRoutes } from './audit-trail/index.ts'
import type { ErrorKind } from './base/errors.ts'
import { changeErrors } from './changes/index.ts'
import { contractPermissions, contractRoutes } from './contracts/index.ts'
import { eventPermissions, eventRoutes } from './events/index.ts'
import { httpErrors } from './http/errors.ts'
import { IDENTITY_ONLY, type Route } from './http/route.ts'
import { partyErrors, partyPermissions, partyRoutes } from './parties/index.ts'
import { partnerPermissions, partnerRoutes } from './partners/index.ts'
import { reportPermissions } from './reports/permissions.ts'
import { requestRoutes } from './requests/index.ts'
import { listPermissionsOf } from './self/list-permissions.ts'
import { readMe } from './self/read-me.ts'
import { storageErrors } from './storage/errors.ts'
import { webhookPermissions } from './webhooks/permissions.ts'

/** What is mounted where. Both surfaces come from this one list. */

export const permissionCatalogue: PermissionMeanings = {
  ...partyPermissions,
  ...partnerPermissions,
  ...contractPermissions,
  ...reportPermissions,
  ...auditPermissions,
  ...eventPermissions,
  ...webhookPermissions,
  ...accessPermissions,
}

export const errorCatalogue: readonly ErrorKind[] = [
  ...Object.values(accessErrors),
  ...Object.values(httpErrors),
  ...Object.values(storageErrors),
  ...Object.values(changeErrors),
  ...Object.values(partyErrors),
].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))

const business: readonly Route[] = [
  ...partyRoutes,
  ...partnerRoutes,
  ...requestRoutes,
  ...contractRoutes,
  ...approvalRoutes,
  ...auditRoutes,
  ...eventRoutes,
  readMe,
]

export const allRoutes: readonly Route[] = [
  ...business,
  listPermissionsOf(permissionCatalogue, business),
]

for (const route of allRoutes) requireKnownPermission(route)

/** A permission that no catalogue knows could never be granted: a typing error, found at the start. */
function requireKnownPermission({ id, permission }: Route): void {
  if (permission === IDENTITY_ONLY) return
  const unknown = codesOf(permission).filter((code) => !Object.hasOwn(permissionCatalogue, code))
  if (unknown.length > 0)
    throw new TypeError(`Route ${id}: unknown permission ${unknown.join(', ')}.`)
}

export type SurfaceChoice = 'ops' | 'customer' | 'all'

export function routesOf(surface: SurfaceChoice): readonly Route[] {
  if (surface === 'all') return allRoutes
  const wanted = surface === 'ops' ? 'operations' : 'customer'
  return allRoutes.filter((route) => route.surface === wanted)
}

export function isKnownPermission(code: string): boolean {
  return Object.hasOwn(permissionCatalogue, code)
}
