import type { MigrateOptions } from './storage/migrate.ts'
import { migrationFiles } from './storage/migration-files.ts'
import { aloneInDatabase } from './storage/migration-lock.ts'
import { quotedName } from './storage/quoting.ts'
import type { Owner } from './storage/session.ts'

const APP_ROLE = '{{app_role}}'
const RIGHTS = /^(?:grant|revoke)\b[^;]*\{\{app_role\}\}[^;]*;/gim

/** The statements of a migration that give or take rights of the application's role. */
export function rightsIn(text: string): string[] {
  return text.match(RIGHTS) ?? []
}

/**
 * Each migration grants its rights once, to the role of that day. A role that is named later gets the
 * same, in the same order; for one that has them nothing changes.
 */
export async function grantRights(owner: Owner, options: MigrateOptions): Promise<void> {
  const files = await migrationFiles(options.directory)
  const statements = files.flatMap(({ text }) => rightsIn(text)).join('\n')
  await owner.use((session) =>
    aloneInDatabase(session, () =>
      session.script(statements.replaceAll(APP_ROLE, quotedName(options.appRole))),
    ),
  )
}
