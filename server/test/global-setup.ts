import type { TestProject } from 'vitest/node'
import { startPostgres, type TestDatabase } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser of the cluster of this run. */
    postgresAdminUrl: string
    /** The database in which every test file gets a schema of its own. */
    postgresTests: TestDatabase
  }
}

/** One PostgreSQL for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresAdminUrl', postgres.adminUrl)
  project.provide('postgresTests', await postgres.createDatabase('tfs_tests'))
  return () => postgres.stop()
}
