import type { PermissionMeanings } from '../access/permissions.ts'

export const eventPermissions = {
  'event:read': 'Read the event feed.',
} satisfies PermissionMeanings
