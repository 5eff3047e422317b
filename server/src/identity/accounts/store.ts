import { folded } from '../../base/folded.ts'
import { type Statement, sql } from '../../storage/sql.ts'
import type { Read, Tx } from '../../storage/tx.ts'
import type { Account, AccountState } from './account.ts'

const accountColumns: Statement = sql`
  a.id, a.username, a.state, a.party_id as "partyId", a.partner_id as "partnerId",
  a.first_name as "firstName", a.last_name as "lastName", a.email, a.demo,
  array(select p.code from account_permission p where p.account_id = a.id order by p.code)
    as permissions`

export function accountById(read: Read, id: string): Promise<Account | undefined> {
  return read.maybeOne<Account>(sql`select ${accountColumns} from account a where a.id = ${id}`)
}

export interface AccountWithHash extends Account {
  readonly passwordHash: string
}

export function accountByName(read: Read, username: string): Promise<AccountWithHash | undefined> {
  return read.maybeOne<AccountWithHash>(sql`
    select ${accountColumns}, a.password_hash as "passwordHash"
      from account a
     where a.username_folded = ${folded(username)}`)
}

export async function accountForUpdate(tx: Tx, username: string): Promise<Account | undefined> {
  const locked = await tx.maybeOne<{ id: string }>(sql`
    select id from account where username_folded = ${folded(username)} for update`)
  return locked && accountById(tx, locked.id)
}

export function allAccounts(read: Read): Promise<Account[]> {
  return read.rows<Account>(sql`
    select ${accountColumns} from account a order by a.username_folded`)
}

export interface NewAccount extends Omit<Account, 'permissions' | 'state'> {
  readonly passwordHash: string
}

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.run(sql`
    insert into account (id, username, username_folded, password_hash, party_id, partner_id,
                         first_name, last_name, email, demo)
    values (${account.id}, ${account.username}, ${folded(account.username)},
            ${account.passwordHash}, ${account.partyId}, ${account.partnerId},
            ${account.firstName}, ${account.lastName}, ${account.email}, ${account.demo})`)
}

export async function addPermissions(tx: Tx, accountId: string, codes: readonly string[]) {
  await tx.run(sql`
    insert into account_permission (account_id, code)
    select ${accountId}, code from unnest(${codes}::text[]) as given (code)
    on conflict do nothing`)
}

export async function removePermissions(tx: Tx, accountId: string, codes: readonly string[]) {
  await tx.run(sql`
    delete from account_permission
     where account_id = ${accountId} and code = any(${codes}::text[])`)
}

export async function updateState(tx: Tx, accountId: string, state: AccountState): Promise<void> {
  await tx.run(sql`
    update account set state = ${state}, updated_at = now() where id = ${accountId}`)
}

export async function updatePassword(tx: Tx, accountId: string, hash: string): Promise<void> {
  await tx.run(sql`
    update account set password_hash = ${hash}, demo = false, updated_at = now()
     where id = ${accountId}`)
}
