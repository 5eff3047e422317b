import type { PermissionMeanings } from '../access/permissions.ts'

export const reportPermissions = {
  'report:prepare': 'Prepare a report.',
  'report:read': 'Read reports.',
  'report:approve': 'Approve or reject a report that another user prepared.',
} satisfies PermissionMeanings
