import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../../test/postgres.ts'
import { appRoleOf, ensureAppRole } from './app-role.ts'
import { openPostgres, openPostgresOwner } from './postgres.ts'
import { requireHarmlessRole } from './role-check.ts'
import type { Owner } from './session.ts'
import { sql } from './sql.ts'

const NASTY_PASSWORD = `a'b"c\\d$$e;--%/@:?#[]ü€ {{app_role}}`

let owner: Owner
let appUrl: string

beforeAll(async () => {
  const name = `role_${randomBytes(4).toString('hex')}`
  const database = await createDatabase(inject('postgresAdminUrl'), name)
  owner = openPostgresOwner({ url: database.adminUrl, schema: 'tfs' })
  appUrl = database.appUrl
})
afterAll(() => owner?.close())

function urlFor(role: string, password: string): string {
  const url = new URL(appUrl)
  url.username = encodeURIComponent(role)
  url.password = encodeURIComponent(password)
  return url.href
}

async function whoami(url: string): Promise<unknown> {
  const db = openPostgres({ url, schema: 'tfs', poolSize: 1 })
  try {
    await requireHarmlessRole(db, 'tfs')
    return await db.read({ rows: 'NONE' }, (read) =>
      read.one(sql`select current_user::text as role, current_schema()::text as schema`),
    )
  } finally {
    await db.close()
  }
}

test.each([
  ['plain_role', 'secret'],
  [`it's "odd" \\ 'Rolle' ü`, NASTY_PASSWORD],
])(
  'the role %s is created once, logs in with its password and is harmless',
  async (role, password) => {
    const url = urlFor(role, password)
    expect(await ensureAppRole(owner, url)).toEqual({ role, created: true })
    expect(await ensureAppRole(owner, url)).toEqual({ role, created: false })
    expect(await whoami(url)).toEqual({ role, schema: 'tfs' })
  },
)

test('a role that exists keeps its password', async () => {
  const url = urlFor('kept_role', 'first')
  await ensureAppRole(owner, url)
  expect(await ensureAppRole(owner, urlFor('kept_role', 'second'))).toMatchObject({
    created: false,
  })
  expect(await whoami(url)).toMatchObject({ role: 'kept_role' })
  await expect(whoami(urlFor('kept_role', 'second'))).rejects.toMatchObject({ status: 503 })
})

test('the role has no attribute beyond logging in', async () => {
  await ensureAppRole(owner, urlFor('bare_role', 'x'))
  const { rows } = await owner.use((session) =>
    session.query(
      `select rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
              rolcanlogin
         from pg_roles where rolname = 'bare_role'`,
      [],
    ),
  )
  expect(rows).toEqual([
    {
      rolsuper: false,
      rolinherit: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      rolcanlogin: true,
    },
  ])
})

test('a URL without a user is refused by the name of its setting', () => {
  expect(() => appRoleOf('postgres://localhost/tfs')).toThrow('DATABASE_URL: a user name is needed')
})
