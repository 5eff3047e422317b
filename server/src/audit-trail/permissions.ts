import type { PermissionMeanings } from '../access/permissions.ts'

export const auditPermissions = {
  'audit:read': 'Read the audit trail, its checkpoints and its export.',
} satisfies PermissionMeanings
