import { join } from 'node:path'
import { migrate } from '../storage/migrate.ts'
import type { Owner } from '../storage/session.ts'

export const IDENTITY_SCHEMA = 'tfs_identity'
export const IDENTITY_ROLE = 'tfs_identity_app'
export const IDENTITY_MIGRATIONS = join(import.meta.dirname, 'migrations')

/**
 * The provider's own tables, in a schema and for a role that the platform's data knows nothing of.
 */
export function migrateIdentity(owner: Owner, appRole = IDENTITY_ROLE): Promise<string[]> {
  return migrate(owner, { directory: IDENTITY_MIGRATIONS, appRole })
}
