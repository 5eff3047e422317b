import { randomUUID } from 'node:crypto'
import { isConstraint } from '../../storage/failures.ts'
import type { Db, Tx } from '../../storage/tx.ts'
import type { Account } from './account.ts'
import { recordChange } from './audit-store.ts'
import type { By } from './change-account.ts'
import { passwordHashOf } from './password-hash.ts'
import { accountById, addPermissions, insertAccount } from './store.ts'
import {
  requireEmail,
  requireLink,
  requireNewPassword,
  requirePermissionCodes,
  requirePersonName,
  requireUsername,
} from './text-rules.ts'

export interface AccountDetails {
  readonly username: string
  readonly permissions: readonly string[]
  readonly partyId?: string | undefined
  readonly partnerId?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly email?: string | undefined
  readonly demo?: boolean
}

export async function addAccount(
  db: Db,
  by: By,
  details: AccountDetails,
  password: string,
): Promise<Account> {
  requireUsername(details.username)
  requireNewPassword(password, details.username)
  const hash = await passwordHashOf(password)
  try {
    return await db.write({ rows: 'NONE' }, (tx) => insertedAccount(tx, by, details, hash))
  } catch (error) {
    if (!isConstraint(error, 'account_username_taken')) throw error
    throw new Error(`There is a user ${JSON.stringify(details.username)} already.`)
  }
}

export async function insertedAccount(
  tx: Tx,
  { actor }: By,
  details: AccountDetails,
  passwordHash: string,
): Promise<Account> {
  const { username, permissions } = details
  const { partyId = null, partnerId = null } = details
  const { firstName = null, lastName = null, email = null } = details
  requirePermissionCodes(permissions)
  requireLink('partyId', partyId)
  requireLink('partnerId', partnerId)
  requirePersonName('first name', firstName)
  requirePersonName('last name', lastName)
  requireEmail(email)
  const id = randomUUID()
  const others = { firstName, lastName, email, demo: details.demo ?? false }
  await insertAccount(tx, { id, username, passwordHash, partyId, partnerId, ...others })
  await addPermissions(tx, id, permissions)
  const after = (await accountById(tx, id)) as Account
  await recordChange(tx, { actor, action: 'ACCOUNT_ADDED', before: null, after })
  return after
}
