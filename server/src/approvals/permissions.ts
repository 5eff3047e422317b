import type { PermissionCode } from '../access/permissions.ts'

export const APPROVING = [
  'contract:approve',
  'party:approve',
  'partner:approve',
  'report:approve',
] as const satisfies readonly [PermissionCode, ...PermissionCode[]]

export const PREPARING = [
  'contract:create',
  'contract:update',
  'contract:settle',
  'contract:terminate',
  'party:create',
  'party:update',
  'party:erase',
  'partner:create',
  'partner:update',
  'report:prepare',
] as const satisfies readonly PermissionCode[]
