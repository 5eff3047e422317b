import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/postgres.ts'
import { eachStore } from '../../test/stores.ts'
import { ensureAppRole } from './app-role.ts'
import { openPostgres, openPostgresOwner } from './postgres.ts'
import { requireHarmlessRole } from './role-check.ts'
import type { Owner } from './session.ts'

eachStore((store) => {
  test('the role that migrate grants its rights to is harmless', async () => {
    await expect(requireHarmlessRole(store.db, store.schema)).resolves.toBeUndefined()
  })
})

const name = `check_${randomBytes(4).toString('hex')}`
const [app, other, third] = [`${name}_app`, `${name}_other`, `${name}_third`]
let database: TestDatabase
let owner: Owner
let superuser: Owner

beforeAll(async () => {
  database = await createDatabase(inject('postgresAdminUrl'), name)
  owner = openPostgresOwner({ url: database.adminUrl, schema: 'tfs' })
  const url = Object.assign(new URL(inject('postgresAdminUrl')), { pathname: `/${name}` }).href
  superuser = openPostgresOwner({ url, schema: 'tfs' })
  await ensureAppRole(owner, database.appUrl)
  await owner.use((session) =>
    session.script(`
      create table thing (id text); create sequence counter; create view shown as select 1 as n;
      create function answer() returns int language sql return 42;
      create role ${other}; create role ${third}`),
  )
})
afterAll(async () => {
  await owner?.close()
  await superuser?.close()
})

async function check(): Promise<void> {
  const db = openPostgres({ url: database.appUrl, schema: 'tfs', poolSize: 1 })
  await requireHarmlessRole(db, 'tfs').finally(() => db.close())
}

const as = `alter role ${app}`
const OWNER = `${name}_owner`

test.each([
  ['is a superuser', `${as} superuser`, `${as} nosuperuser`],
  ['has BYPASSRLS', `${as} bypassrls`, `${as} nobypassrls`],
  ['may create roles', `${as} createrole`, `${as} nocreaterole`],
  ['may replicate the whole server', `${as} replication`, `${as} noreplication`],
  [
    'owns the database',
    `alter database ${name} owner to ${app}`,
    `alter database ${name} owner to ${OWNER}`,
  ],
  ['owns the schema', `alter schema tfs owner to ${app}`, `alter schema tfs owner to ${OWNER}`],
  [
    'owns tables of the schema',
    `alter table thing owner to ${app}`,
    `alter table thing owner to ${OWNER}`,
  ],
  [
    'owns tables of the schema',
    `alter view shown owner to ${app}`,
    `alter view shown owner to ${OWNER}`,
  ],
  [
    'owns functions of the schema',
    `alter function answer owner to ${app}`,
    `alter function answer owner to ${OWNER}`,
  ],
  [
    'may create objects in the schema',
    `grant create on schema tfs to ${app}`,
    `revoke create on schema tfs from ${app}`,
  ],
  [
    'may create objects in the schema',
    `grant create on schema tfs to public`,
    `revoke create on schema tfs from public`,
  ],
  [
    `can become ${OWNER}, which may create roles`,
    `grant ${OWNER} to ${app}`,
    `revoke ${OWNER} from ${app}`,
  ],
  [
    `can become ${other}, which owns tables of the schema`,
    `alter table thing owner to ${other}; grant ${other} to ${app}`,
    `alter table thing owner to ${OWNER}; revoke ${other} from ${app}`,
  ],
  [
    `can become ${third}, which has BYPASSRLS`,
    `alter role ${third} bypassrls; grant ${third} to ${other}; grant ${other} to ${app}`,
    `alter role ${third} nobypassrls; revoke ${third} from ${other}; revoke ${other} from ${app}`,
  ],
  [
    'can become pg_execute_server_program, which may use files or programs of the server',
    `grant pg_execute_server_program to ${app}`,
    `revoke pg_execute_server_program from ${app}`,
  ],
  [
    'is a superuser',
    `alter role ${third} superuser; ${as} set role to ${third}; grant ${third} to ${app}`,
    `alter role ${third} nosuperuser; ${as} reset role; revoke ${third} from ${app}`,
  ],
])('the start refuses a role that %s', async (reason, make, undo) => {
  await check()
  await superuser.use((session) => session.script(make))
  try {
    await expect(check()).rejects.toThrow(
      new RegExp(`^DATABASE_URL: the role \\S+ ${reason} and could bypass row-level security; .*$`),
    )
  } finally {
    await superuser.use((session) => session.script(undo))
  }
  await check()
})
