import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import type { Provider } from 'oidc-provider'
import type { Account } from '../accounts/account.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import type { AccountsView } from '../provider/accounts-view.ts'
import { AUDIENCE } from '../realm.ts'

export interface ActiveToken {
  readonly claims: JWTPayload
  /** Absent for the token of a partner's system. */
  readonly account: Account | undefined
}

export interface TokenRealm {
  readonly provider: Provider
  readonly accounts: AccountsView
  readonly keys: SigningKeys
}

/** One of our access tokens whose session is not over and whose holder is not disabled. */
export async function activeTokenOf(
  realm: TokenRealm,
  token: string,
): Promise<ActiveToken | undefined> {
  const claims = await verifiedClaims(realm, token)
  if (claims?.sub === undefined) return undefined
  const { sid } = claims
  if (typeof sid !== 'string') {
    const client = await realm.accounts.activeClient(claims.sub)
    return client && { claims, account: undefined }
  }
  const session = await realm.provider.Session.findByUid(sid)
  if (session?.accountId !== claims.sub) return undefined
  const account = await realm.accounts.activeAccount(claims.sub)
  return account && { claims, account }
}

async function verifiedClaims(
  { provider, keys }: TokenRealm,
  token: string,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.find((one) => one.kid === kid)
        if (key === undefined) throw new errors.JWKSNoMatchingKey()
        const { kty, n, e } = key.jwk
        return createPublicKey({ key: { kty, n, e } as JsonWebKey, format: 'jwk' })
      },
      { algorithms: ['RS256'], issuer: provider.issuer, audience: AUDIENCE, typ: 'at+jwt' },
    )
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
