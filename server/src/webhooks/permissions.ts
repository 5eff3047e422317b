import type { PermissionMeanings } from '../access/permissions.ts'

export const webhookPermissions = {
  'webhook:manage': 'Manage webhooks.',
} satisfies PermissionMeanings
