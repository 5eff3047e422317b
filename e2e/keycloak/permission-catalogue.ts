import type { PermissionEntry } from '../../deploy/keycloak/generate.ts'
import { permissionCatalogue } from '../../server/src/surfaces.ts'

/** The catalogue of the platform, from which the realm files are made. */
export const PERMISSIONS: readonly PermissionEntry[] = Object.entries(permissionCatalogue).map(
  ([code, description]) => ({ code, description }),
)

export const PERMISSION_CODES: readonly string[] = PERMISSIONS.map(({ code }) => code)
