import { aloneInDatabase } from './migration-lock.ts'
import { quotedLiteral, quotedName } from './quoting.ts'
import type { Owner, Session } from './session.ts'

export interface AppRole {
  readonly role: string
  readonly password: string | undefined
}

export function appRoleOf(databaseUrl: string): AppRole {
  const { username, password } = new URL(databaseUrl)
  const role = decodeURIComponent(username)
  if (role === '') throw new Error('DATABASE_URL: a user name is needed, e.g. postgres://tfs_app@…')
  return { role, password: password === '' ? undefined : decodeURIComponent(password) }
}

/**
 * Creates the role named in `DATABASE_URL` where it is missing, with no right beyond logging in. A
 * role that exists keeps its password and attributes; whether it is harmless is asked at the start.
 */
export async function ensureAppRole(
  owner: Owner,
  databaseUrl: string,
): Promise<{ role: string; created: boolean }> {
  const { role, password } = appRoleOf(databaseUrl)
  return owner.use((session) =>
    aloneInDatabase(session, async () => {
      const created = await createWhereMissing(session, role, password)
      await grantEntry(session, role, owner.schema)
      return { role, created }
    }),
  )
}

async function createWhereMissing(
  session: Session,
  role: string,
  password: string | undefined,
): Promise<boolean> {
  const found = await session.query('select 1 from pg_roles where rolname = $1', [role])
  if (found.rows.length > 0) return false
  const secret = password === undefined ? 'null' : quotedLiteral(password)
  await session.script(
    `create role ${quotedName(role)} login password ${secret}
       nosuperuser nocreatedb nocreaterole noinherit nobypassrls noreplication`,
  )
  return true
}

async function grantEntry(session: Session, role: string, schema: string): Promise<void> {
  const { rows } = await session.query('select current_database() as name', [])
  const [database] = rows as { name: string }[]
  await session.script(`
    create schema if not exists ${quotedName(schema)};
    grant connect on database ${quotedName(database?.name as string)} to ${quotedName(role)};
    grant usage on schema ${quotedName(schema)} to ${quotedName(role)}`)
}
