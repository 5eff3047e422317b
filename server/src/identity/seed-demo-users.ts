import { isConstraint } from '../storage/failures.ts'
import type { Db } from '../storage/tx.ts'
import { type AccountDetails, insertedAccount } from './accounts/add-account.ts'
import { passwordHashOf } from './accounts/password-hash.ts'
import { accountByName } from './accounts/store.ts'
import { DEMO_USERS, type DemoUser } from './demo-users.ts'

const NO_ROWS = { rows: 'NONE' } as const

/** Whom the demo users stand for in the demo data. */
export interface DemoLinks {
  readonly customer: string
  readonly customer2: string
  readonly dealer: string
}

/**
 * The demo users of the platform contract, section 10; those who are there already stay as they
 * are. `catalogue` holds every permission code there is. Answers how many were added.
 */
export async function seedDemoUsers(
  db: Db,
  links: DemoLinks,
  catalogue: readonly string[],
): Promise<number> {
  const users: readonly DemoUser[] = DEMO_USERS
  const added = await Promise.all(
    users.map(async (user) => {
      if (await db.read(NO_ROWS, (read) => accountByName(read, user.username))) return false
      const hash = await passwordHashOf(user.username)
      return inserted(db, detailsOf(user, links, catalogue), hash)
    }),
  )
  return added.filter(Boolean).length
}

/** Another process may seed the same database: who comes second has nothing left to do. */
async function inserted(db: Db, details: AccountDetails, hash: string): Promise<boolean> {
  try {
    await db.write(NO_ROWS, (tx) => insertedAccount(tx, { actor: 'demo' }, details, hash))
    return true
  } catch (error) {
    if (isConstraint(error, 'account_username_taken')) return false
    throw error
  }
}

function detailsOf(user: DemoUser, links: DemoLinks, catalogue: readonly string[]): AccountDetails {
  const link = links[user.username as keyof DemoLinks]
  return {
    ...{ username: user.username, firstName: user.firstName, lastName: user.lastName, demo: true },
    permissions: permissionsOf(user, catalogue),
    partyId: user.link === 'party' ? link : undefined,
    partnerId: user.link === 'partner' ? link : undefined,
  }
}

function permissionsOf({ permissions }: DemoUser, catalogue: readonly string[]): readonly string[] {
  return typeof permissions === 'function' ? catalogue.filter(permissions) : permissions
}
