import type { Account as ProviderAccount } from 'oidc-provider'
import type { Db } from '../../storage/tx.ts'
import { type Account, displayNameOf, isUsable } from '../accounts/account.ts'
import { type PartnerClientWithSecret, partnerClientById } from '../accounts/client-store.ts'
import { accountById } from '../accounts/store.ts'
import { whileStoreAnswers } from './unavailable.ts'

const NO_ROWS = { rows: 'NONE' } as const

/** An account as oidc-provider carries it through a request. */
export interface CarriedAccount extends ProviderAccount {
  readonly account: Account
}

export interface AccountsView {
  /**
   * An account that may not be used is as good as none: sessions and refresh tokens stop with it.
   */
  activeAccount(id: string): Promise<Account | undefined>
  activeClient(id: string): Promise<PartnerClientWithSecret | undefined>
}

export function accountsView(db: Db, demo: boolean): AccountsView {
  return {
    async activeAccount(id) {
      const found = await whileStoreAnswers(() => db.read(NO_ROWS, (read) => accountById(read, id)))
      return found && isUsable(found, demo) ? found : undefined
    },
    async activeClient(id) {
      const found = await whileStoreAnswers(() =>
        db.read(NO_ROWS, (read) => partnerClientById(read, id)),
      )
      return found?.state === 'ACTIVE' ? found : undefined
    },
  }
}

export function carried(account: Account): CarriedAccount {
  return { account, accountId: account.id, claims: () => profileOf(account) }
}

/**
 * For ID tokens and userinfo. Permissions stand in access tokens alone (platform contract, section
 * 10).
 */
export function profileOf(account: Account) {
  const { id, username, firstName, lastName, email } = account
  return {
    sub: id,
    preferred_username: username,
    name: displayNameOf(account),
    ...(firstName !== null && { given_name: firstName }),
    ...(lastName !== null && { family_name: lastName }),
    ...(email !== null && { email, email_verified: false }),
  }
}

/** Which claims of the profile a scope brings into the ID token. */
export const CLAIMS_BY_SCOPE = {
  openid: ['sub', 'preferred_username'],
  profile: ['name', 'given_name', 'family_name'],
  email: ['email', 'email_verified'],
} as const
