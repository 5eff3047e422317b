export type AccountState = 'ACTIVE' | 'DISABLED'

/** Someone who can sign in. `id` is the `sub` of the tokens. */
export interface Account {
  readonly id: string
  readonly username: string
  readonly state: AccountState
  readonly permissions: readonly string[]
  readonly partyId: string | null
  readonly partnerId: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string | null
  /** Its password is its name: of use only where the demo was asked for. */
  readonly demo: boolean
}

export function isUsable({ state, demo }: Account, demoAllowed: boolean): boolean {
  return state === 'ACTIVE' && (demoAllowed || !demo)
}

/** A partner's own system: client credentials, bound to its partner. */
export interface PartnerClient {
  readonly id: string
  readonly state: AccountState
  readonly partnerId: string
  readonly permissions: readonly string[]
}

export function displayNameOf({ firstName, lastName, username }: Account): string {
  return [firstName, lastName].filter((part) => part !== null).join(' ') || username
}
