/** Whom the demo users stand for in the demo data; the seed uses the same ids. */
export const DEMO_SUBJECTS = {
  customer: 'pty_demo_customer',
  customer2: 'pty_demo_customer2',
  dealer: 'ptn_demo_dealer',
} as const

/** An example of a partner's own system; its secret is its name, as with the demo users. */
export const DEMO_PARTNER_CLIENT = {
  clientId: 'tfs-partner-dealer',
  secret: 'tfs-partner-dealer',
  partnerId: DEMO_SUBJECTS.dealer,
  permissions: [
    'scope:partner',
    'contract:create',
    'contract:read',
    'contract:update',
    'party:create',
    'party:read',
  ],
} as const

/** The user name is the password too. */
export interface DemoUser {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  /** Codes, or a rule over the whole catalogue. */
  readonly permissions: readonly string[] | ((code: string) => boolean)
  readonly partyId?: string
  readonly partnerId?: string
}

/** Platform contract, section 10. */
export const DEMO_USERS: readonly DemoUser[] = [
  {
    username: 'preparer',
    firstName: 'Petra',
    lastName: 'Preparer',
    permissions: [
      'party:create',
      'party:read',
      'party:update',
      'partner:read',
      'contract:create',
      'contract:read',
      'contract:update',
      'contract:terminate',
      'report:prepare',
      'report:read',
    ],
  },
  {
    username: 'approver',
    firstName: 'Aron',
    lastName: 'Approver',
    permissions: [
      'contract:approve',
      'contract:activate',
      'party:read',
      'party:approve',
      'partner:read',
      'partner:approve',
      'report:read',
      'report:approve',
      'event:read',
    ],
  },
  {
    username: 'chief',
    firstName: 'Carla',
    lastName: 'Chief',
    permissions: (code) => !code.startsWith('my:') && code !== 'scope:partner',
  },
  {
    username: 'auditor',
    firstName: 'Anton',
    lastName: 'Auditor',
    permissions: [
      'audit:read',
      'contract:read',
      'party:read',
      'partner:read',
      'report:read',
      'event:read',
    ],
  },
  {
    username: 'dealer',
    firstName: 'Dana',
    lastName: 'Dealer',
    permissions: [
      'scope:partner',
      'contract:create',
      'contract:read',
      'contract:update',
      'party:create',
      'party:read',
    ],
    partnerId: DEMO_SUBJECTS.dealer,
  },
  {
    username: 'customer',
    firstName: 'Clara',
    lastName: 'Customer',
    permissions: ['my:read', 'my:request'],
    partyId: DEMO_SUBJECTS.customer,
  },
  {
    username: 'customer2',
    firstName: 'Cornelius',
    lastName: 'Customer',
    permissions: ['my:read', 'my:request'],
    partyId: DEMO_SUBJECTS.customer2,
  },
]

export function permissionsOf(user: DemoUser, catalogue: readonly string[]): string[] {
  const { permissions } = user
  return typeof permissions === 'function' ? catalogue.filter(permissions) : [...permissions]
}
