import type { PermissionMeanings } from '../access/permissions.ts'

export const contractPermissions = {
  'contract:create': 'Prepare a contract, submit, withdraw, reopen.',
  'contract:read': 'Read contracts and everything below them.',
  'contract:update': 'Edit a draft; propose a change to an active contract; add a note.',
  'contract:approve': 'Approve, reject or return what another user prepared.',
  'contract:activate': 'Activate an approved contract.',
  'contract:settle': 'Prepare the settlement of an active contract.',
  'contract:terminate': 'Prepare the termination of an active contract.',
  'my:read': 'Customer surface: read one’s own contracts and data.',
  'my:request': 'Customer surface: ask for a change of one’s own data.',
} satisfies PermissionMeanings
