import { SqlFault } from './failures.ts'
import { fileNameOf, type MigrationFile, migrationFiles } from './migration-files.ts'
import { aloneInDatabase } from './migration-lock.ts'
import { quotedName } from './quoting.ts'
import type { Owner, Session } from './session.ts'
import { sql } from './sql.ts'
import type { Db } from './tx.ts'

export interface MigrateOptions {
  readonly directory: string
  /** Stands for `{{app_role}}` in the files; it is granted rights, never ownership. */
  readonly appRole: string
}

interface Applied {
  readonly version: number
  readonly name: string
  readonly checksum: string
}

const APP_ROLE = '{{app_role}}'
const UNDEFINED_TABLE = '42P01'

/** Forward only, one transaction per file. Answers the files applied now. */
export async function migrate(owner: Owner, options: MigrateOptions): Promise<string[]> {
  const files = await migrationFiles(options.directory)
  return owner.use((session) =>
    aloneInDatabase(session, async () => {
      await prepareSchema(session, owner.schema, options.appRole)
      const { rows } = await session.query(
        'select version, name, checksum from schema_migration order by version',
        [],
      )
      const pending = pendingOf(files, rows as Applied[])
      for (const file of pending) await apply(session, file, options.appRole)
      return pending.map(fileNameOf)
    }),
  )
}

/** For readiness: the files that `tfs migrate` would apply, asked as the application. */
export async function pendingMigrations(db: Db, directory: string): Promise<string[]> {
  const files = await migrationFiles(directory)
  return pendingOf(files, await appliedMigrations(db)).map(fileNameOf)
}

async function appliedMigrations(db: Db): Promise<Applied[]> {
  try {
    return await db.read({ rows: 'NONE' }, (read) =>
      read.rows<Applied>(sql`
        select version, name, checksum from schema_migration order by version`),
    )
  } catch (error) {
    if (error instanceof SqlFault && error.sqlState === UNDEFINED_TABLE) return []
    throw error
  }
}

function pendingOf(files: readonly MigrationFile[], applied: readonly Applied[]): MigrationFile[] {
  for (const { version, name, checksum } of applied) {
    const file = files[version - 1]
    if (file === undefined) {
      throw new Error(
        'The database is newer than this program: ' +
          `it has migration ${fileNameOf({ version, name })}.`,
      )
    }
    if (file.checksum !== checksum) {
      throw new Error(
        `Migration ${fileNameOf(file)} was changed after it had been applied: ` +
          'restore it and write a new one.',
      )
    }
  }
  return files.slice(applied.length)
}

async function prepareSchema(session: Session, schema: string, appRole: string): Promise<void> {
  const [name, role] = [quotedName(schema), quotedName(appRole)]
  await session.script(`
    create schema if not exists ${name};
    grant usage on schema ${name} to ${role};
    create table if not exists schema_migration (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    );
    grant select on schema_migration to ${role}`)
}

async function apply(session: Session, file: MigrationFile, appRole: string): Promise<void> {
  await session.query('begin', [])
  try {
    await session.script(file.text.replaceAll(APP_ROLE, quotedName(appRole)))
    await session.query(
      'insert into schema_migration (version, name, checksum) values ($1, $2, $3)',
      [file.version, file.name, file.checksum],
    )
    await session.query('commit', [])
  } catch (error) {
    if (!session.isLost()) await session.query('rollback', [])
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Migration ${fileNameOf(file)} failed: ${reason}`, { cause: error })
  }
}
