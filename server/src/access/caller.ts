import { shortDigest } from '../base/digest.ts'

export type Mode = 'token' | 'developer'

/** Who is calling, once identity is settled (platform contract, section 2). Frozen. */
export interface Caller {
  /** Issuer and `sub`, or `dev:` and `x-dev-user`. */
  readonly subject: string
  readonly username: string
  /** False for service accounts and callers without a user name: they prepare, never decide. */
  readonly human: boolean
  readonly permissions: ReadonlySet<string>
  readonly partyId?: string
  readonly partnerId?: string
  readonly clientId?: string
  readonly sessionId?: string
  readonly issuer?: string
  /** The one who acts as this caller in an impersonated session. */
  readonly actor?: { readonly subject: string; readonly username?: string }
  readonly person?: string
  readonly mode: Mode
  /** Seconds since the epoch; absent in developer mode. */
  readonly expiresAt?: number
}

/** How a person is named in answers: `{id, username}`. */
export interface PersonRef {
  readonly id: string
  readonly username: string
}

export function personIdOf(subject: string): string {
  return shortDigest(subject)
}

export function personRefOf(caller: Caller): PersonRef {
  return { id: personIdOf(caller.subject), username: caller.username }
}
