import type { AdminApi } from './admin.ts'

interface Account {
  readonly id: string
  readonly username: string
  readonly [member: string]: unknown
}

interface Role {
  readonly id: string
  readonly name: string
}

export async function accountOf(admin: AdminApi, username: string): Promise<Account> {
  const query = new URLSearchParams({ username, exact: 'true' })
  const [found] = await admin<Account[]>('GET', `/users?${query}`)
  if (found === undefined) throw new Error(`No account ${username}.`)
  return await admin<Account>('GET', `/users/${found.id}`)
}

export interface NewAccount {
  readonly username: string
  readonly password: string
  readonly permissions?: readonly string[]
  readonly attributes?: Readonly<Record<string, string[]>>
}

/** With e-mail and names, so that the account is fully set up. */
export async function createAccount(admin: AdminApi, account: NewAccount): Promise<void> {
  const { username, password, permissions = [], attributes = {} } = account
  await admin('POST', '/users', {
    username,
    enabled: true,
    email: `${username}@example.org`,
    firstName: 'First',
    lastName: 'Last',
    attributes,
    credentials: [{ type: 'password', value: password, temporary: false }],
  })
  for (const code of permissions) await grantPermission(admin, username, code)
}

/** A disabled user gets no new token and no refresh; an access token lives on until it expires. */
export async function setEnabled(
  admin: AdminApi,
  username: string,
  enabled: boolean,
): Promise<void> {
  const account = await accountOf(admin, username)
  await admin('PUT', `/users/${account.id}`, { ...account, enabled })
}

export async function grantPermission(admin: AdminApi, username: string, code: string) {
  await changeRole(admin, 'POST', username, code)
}

export async function removePermission(admin: AdminApi, username: string, code: string) {
  await changeRole(admin, 'DELETE', username, code)
}

async function changeRole(
  admin: AdminApi,
  method: 'POST' | 'DELETE',
  username: string,
  code: string,
): Promise<void> {
  const { id } = await accountOf(admin, username)
  const role = await admin<Role>('GET', `/roles/${encodeURIComponent(code)}`)
  await admin(method, `/users/${id}/role-mappings/realm`, [role])
}
