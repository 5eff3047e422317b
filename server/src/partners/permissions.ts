import type { PermissionMeanings } from '../access/permissions.ts'

export const partnerPermissions = {
  'partner:create': 'Create a partner.',
  'partner:read': 'Read partners.',
  'partner:update': 'Edit a partner, suspend it, propose its resumption.',
  'partner:approve': 'Decide pending changes of a partner that another user prepared.',
} satisfies PermissionMeanings
