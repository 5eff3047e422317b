import type { PermissionEntry } from '../../deploy/keycloak/generate.ts'

/** Platform contract, section 3. */
export const PERMISSION_CODES = [
  'party:create',
  'party:read',
  'party:update',
  'party:approve',
  'party:erase',
  'partner:create',
  'partner:read',
  'partner:update',
  'partner:approve',
  'contract:create',
  'contract:read',
  'contract:update',
  'contract:approve',
  'contract:activate',
  'contract:settle',
  'contract:terminate',
  'report:prepare',
  'report:read',
  'report:approve',
  'audit:read',
  'event:read',
  'webhook:manage',
  'my:read',
  'my:request',
  'scope:partner',
]

export const PERMISSIONS: readonly PermissionEntry[] = PERMISSION_CODES.map((code) => ({
  code,
  description: `Permission ${code}`,
}))
