import type { Db } from '../storage/tx.ts'
import { insertedAccount } from './accounts/add-account.ts'
import { passwordHashOf } from './accounts/password-hash.ts'
import { accountByName } from './accounts/store.ts'
import { DEMO_USERS, type DemoUser } from './demo-users.ts'

/** Whom the demo users stand for in the demo data. */
export interface DemoLinks {
  readonly customer: string
  readonly customer2: string
  readonly dealer: string
}

/**
 * The demo users of the platform contract, section 10; those who are there already stay as they are.
 * `catalogue` holds every permission code there is. Answers how many were added.
 */
export async function seedDemoUsers(
  db: Db,
  links: DemoLinks,
  catalogue: readonly string[],
): Promise<number> {
  let added = 0
  for (const user of DEMO_USERS as readonly DemoUser[]) {
    const hash = await passwordHashOf(user.username)
    added += await db.write({ rows: 'NONE' }, async (tx) => {
      if (await accountByName(tx, user.username)) return 0
      const link = links[user.username as keyof DemoLinks]
      const details = {
        ...{ username: user.username, firstName: user.firstName, lastName: user.lastName },
        permissions: permissionsOf(user, catalogue),
        partyId: user.link === 'party' ? link : undefined,
        partnerId: user.link === 'partner' ? link : undefined,
      }
      await insertedAccount(tx, { actor: 'demo' }, details, hash)
      return 1
    })
  }
  return added
}

function permissionsOf({ permissions }: DemoUser, catalogue: readonly string[]): readonly string[] {
  return typeof permissions === 'function' ? catalogue.filter(permissions) : permissions
}
