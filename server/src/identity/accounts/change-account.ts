import type { Db, Tx } from '../../storage/tx.ts'
import { dropAllOfAccount } from '../artifacts/store.ts'
import type { Account } from './account.ts'
import { type AccountAction, recordChange } from './audit-store.ts'
import { passwordHashOf } from './password-hash.ts'
import {
  accountById,
  accountForUpdate,
  addPermissions,
  removePermissions,
  updatePassword,
  updateState,
} from './store.ts'
import { requireNewPassword, requirePermissionCodes } from './text-rules.ts'

const NO_ROWS = { rows: 'NONE' } as const

/** Whose hand it was, for the audit: `cli:ana`, `demo`. */
export interface By {
  readonly actor: string
}

export function grantPermissions(db: Db, by: By, username: string, codes: readonly string[]) {
  requirePermissionCodes(codes)
  return changed(db, by, 'PERMISSIONS_GRANTED', username, (tx, { id }) =>
    addPermissions(tx, id, codes),
  )
}

export function revokePermissions(db: Db, by: By, username: string, codes: readonly string[]) {
  return changed(db, by, 'PERMISSIONS_REVOKED', username, (tx, { id }) =>
    removePermissions(tx, id, codes),
  )
}

/** Sessions and refresh tokens end at once; access tokens that are out end within minutes. */
export function disableAccount(db: Db, by: By, username: string): Promise<Account> {
  return changed(db, by, 'ACCOUNT_DISABLED', username, async (tx, { id }) => {
    await updateState(tx, id, 'DISABLED')
    await dropAllOfAccount(tx, id)
  })
}

export function enableAccount(db: Db, by: By, username: string): Promise<Account> {
  return changed(db, by, 'ACCOUNT_ENABLED', username, (tx, { id }) => updateState(tx, id, 'ACTIVE'))
}

/** Whoever signed in with the old password is signed out. */
export async function setPassword(
  db: Db,
  by: By,
  username: string,
  password: string,
): Promise<Account> {
  requireNewPassword(password, username)
  const hash = await passwordHashOf(password)
  return changed(db, by, 'PASSWORD_SET', username, async (tx, { id }) => {
    await updatePassword(tx, id, hash)
    await dropAllOfAccount(tx, id)
  })
}

async function changed(
  db: Db,
  { actor }: By,
  action: AccountAction,
  username: string,
  work: (tx: Tx, account: Account) => Promise<void>,
): Promise<Account> {
  return db.write(NO_ROWS, async (tx) => {
    const before = await accountForUpdate(tx, username)
    if (before === undefined) throw new Error(`There is no user ${JSON.stringify(username)}.`)
    await work(tx, before)
    const after = (await accountById(tx, before.id)) as Account
    await recordChange(tx, { actor, action, before, after })
    return after
  })
}
