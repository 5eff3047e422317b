import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'
import type {} from '../../server/test/global-setup.ts'
import { createDatabase } from '../../server/test/postgres.ts'
import type { Env } from './tfs-process.ts'

export interface NewDatabase {
  /** DATABASE_URL and DATABASE_ADMIN_URL; the role of the first does not exist yet. */
  readonly env: Env & { readonly DATABASE_URL: string; readonly DATABASE_ADMIN_URL: string }
  readonly appRole: string
  asOwner<Row extends object>(statement: string): Promise<Row[]>
  asSuperuser(statement: string): Promise<void>
}

/** A fresh database in the PostgreSQL of the test run. */
export async function newDatabase(): Promise<NewDatabase> {
  const name = `cli_${randomBytes(6).toString('hex')}`
  const clusterUrl = inject('postgresAdminUrl')
  const { adminUrl, appUrl } = await createDatabase(clusterUrl, name)
  return {
    env: { DATABASE_URL: appUrl, DATABASE_ADMIN_URL: adminUrl },
    appRole: new URL(appUrl).username,
    asOwner: (statement) => asked(adminUrl, statement),
    async asSuperuser(statement) {
      await asked(Object.assign(new URL(clusterUrl), { pathname: `/${name}` }).href, statement)
    },
  }
}

async function asked<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return Array.from(await client.unsafe<Row[]>(statement))
  } finally {
    await client.end()
  }
}
