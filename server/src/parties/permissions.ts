import type { PermissionMeanings } from '../access/permissions.ts'

export const partyPermissions = {
  'party:create': 'Create a party.',
  'party:read': 'Read parties.',
  'party:update': 'Propose changes to a party, block it, take up customers’ requests.',
  'party:approve': 'Decide pending changes of a party that another user prepared.',
  'party:erase': 'Prepare the erasure of a party.',
} satisfies PermissionMeanings
