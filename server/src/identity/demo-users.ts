/** Platform contract, section 10. The user name is the password too. */
export interface DemoUser {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  /** What the sign-in page says of them. */
  readonly purpose: string
  /** Codes, or a rule over the whole catalogue. */
  readonly permissions: readonly string[] | ((code: string) => boolean)
  readonly link?: 'party' | 'partner'
}

export const DEMO_USERS = [
  {
    username: 'preparer',
    firstName: 'Petra',
    lastName: 'Preparer',
    purpose: 'prepares contracts, parties, reports',
    permissions: [
      ...['party:create', 'party:read', 'party:update', 'partner:read'],
      ...['contract:create', 'contract:read', 'contract:update', 'contract:terminate'],
      ...['report:prepare', 'report:read'],
    ],
  },
  {
    username: 'approver',
    firstName: 'Aron',
    lastName: 'Approver',
    purpose: 'approves what others prepared',
    permissions: [
      ...['contract:approve', 'contract:activate', 'party:read', 'party:approve'],
      ...['partner:read', 'partner:approve', 'report:read', 'report:approve', 'event:read'],
    ],
  },
  {
    username: 'chief',
    firstName: 'Carla',
    lastName: 'Chief',
    purpose: 'everything but approving her own work',
    permissions: (code: string) => !code.startsWith('my:') && code !== 'scope:partner',
  },
  {
    username: 'auditor',
    firstName: 'Anton',
    lastName: 'Auditor',
    purpose: 'reads everything, audit trail too',
    permissions: [
      ...['audit:read', 'contract:read', 'party:read'],
      ...['partner:read', 'report:read', 'event:read'],
    ],
  },
  {
    username: 'dealer',
    firstName: 'Dana',
    lastName: 'Dealer',
    purpose: 'partner staff, own deals only',
    permissions: [
      ...['scope:partner', 'contract:create', 'contract:read', 'contract:update'],
      ...['party:create', 'party:read'],
    ],
    link: 'partner',
  },
  {
    username: 'customer',
    firstName: 'Clara',
    lastName: 'Customer',
    purpose: 'a customer with contracts of her own',
    permissions: ['my:read', 'my:request'],
    link: 'party',
  },
  {
    username: 'customer2',
    firstName: 'Cornelius',
    lastName: 'Customer',
    purpose: 'another customer, with his',
    permissions: ['my:read', 'my:request'],
    link: 'party',
  },
] as const satisfies readonly DemoUser[]

export function isDemoUser(username: string): boolean {
  return DEMO_USERS.some((user) => user.username === username)
}
