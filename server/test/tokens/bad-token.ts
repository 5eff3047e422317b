import type { RefusalReason } from '../../src/access/bearer/refusals.ts'
import type { TestIssuer } from '../issuer.ts'

export type BadTokenCode = 'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'PARTY_REQUIRED' | 'PARTNER_REQUIRED'

export interface BadToken {
  readonly name: string
  readonly code: BadTokenCode
  /** Why it is refused: a token that is refused for another reason proves nothing. */
  readonly reason: RefusalReason
  /** False where an Authorization header cannot carry the token or HTTP would alter it. */
  readonly overHttp: boolean
  readonly make: (issuer: TestIssuer) => string | Promise<string>
}

type Make = BadToken['make']

export function invalid(reason: RefusalReason, name: string, make: Make): BadToken {
  return { name, code: 'TOKEN_INVALID', reason, overHttp: true, make }
}

export function invalidOffHttp(reason: RefusalReason, name: string, make: Make): BadToken {
  return { ...invalid(reason, name, make), overHttp: false }
}

export function expired(name: string, make: Make): BadToken {
  return { name, code: 'TOKEN_EXPIRED', reason: 'EXPIRED', overHttp: true, make }
}

/** The three parts of a good token, to spoil one of them. */
export function partsOf(issuer: TestIssuer): [header: string, payload: string, signature: string] {
  return issuer.token().split('.') as [string, string, string]
}
