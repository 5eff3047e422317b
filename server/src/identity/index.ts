export type { Account, PartnerClient } from './accounts/account.ts'
export { type AccountAuditEntry, accountAudit } from './accounts/account-audit.ts'
export { type AccountDetails, addAccount } from './accounts/add-account.ts'
export {
  type By,
  disableAccount,
  enableAccount,
  grantPermissions,
  revokePermissions,
  setPassword,
} from './accounts/change-account.ts'
export { listAccounts } from './accounts/list-accounts.ts'
export {
  addPartnerClient,
  disableClient,
  enableClient,
  listPartnerClients,
  type PartnerClientDetails,
  renewClientSecret,
} from './accounts/partner-clients.ts'
export { DEMO_USERS } from './demo-users.ts'
export { rotateKeys } from './keys/rotate-keys.ts'
export {
  IDENTITY_MIGRATIONS,
  IDENTITY_ROLE,
  IDENTITY_SCHEMA,
  migrateIdentity,
} from './migrate-identity.ts'
export { type DemoLinks, seedDemoUsers } from './seed-demo-users.ts'
export { type Identity, type IdentityOptions, startIdentity } from './start-identity.ts'
