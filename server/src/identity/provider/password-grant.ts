import { errors, type Provider, type TokenEndpointGrantContext } from 'oidc-provider'
import type { Account } from '../accounts/account.ts'
import { ACCESS_TOKEN_SECONDS, nowSeconds, sessionSecondsLeft } from '../lifetimes.ts'
import { API_RESOURCE } from '../realm.ts'
import type { CheckCredentials } from '../sign-in/check-credentials.ts'
import { carried } from './accounts-view.ts'
import { addressOf } from './address.ts'
import { requireApi } from './api-resource.ts'
import { ACR, AMR } from './authentication.ts'
import { PASSWORD_GRANT } from './clients.ts'
import { newGrant, SCOPES } from './grants.ts'
import { TooManyAttempts } from './too-many-attempts.ts'

interface Parameters {
  readonly username?: string
  readonly password?: string
  readonly scope?: string
}

const DEFAULT_SCOPE = 'profile email'
const WRONG = 'Invalid user credentials'

/** Spec 5.3. Successes and failures are shaped as Keycloak shapes them. */
export function registerPasswordGrant(provider: Provider, check: CheckCredentials): void {
  const handle = async (ctx: TokenEndpointGrantContext<Parameters>): Promise<void> => {
    const account = await requireAccount(ctx, check)
    ctx.body = await tokensFor(provider, ctx, account)
  }
  provider.registerGrantType<Parameters>(PASSWORD_GRANT, handle, ['username', 'password', 'scope'])
}

async function requireAccount(
  ctx: TokenEndpointGrantContext<Parameters>,
  check: CheckCredentials,
): Promise<Account> {
  const { username, password = '' } = ctx.oidc.params
  if (username === undefined) {
    throw new errors.InvalidRequest('Missing parameter: username', 401)
  }
  requireKnownScopes(ctx.oidc.params.scope)
  const signIn = await check({ username, password, address: addressOf(ctx.req) })
  if (signIn.outcome === 'ACCEPTED') return signIn.account
  if (signIn.outcome === 'TOO_MANY') throw new TooManyAttempts(signIn.retryAfterSeconds)
  throw refused(signIn.outcome === 'DISABLED' ? 'Account disabled' : WRONG)
}

function requireKnownScopes(scope: string | undefined): void {
  const unknown = (scope ?? '').split(' ').filter((one) => one !== '' && !isKnown(one))
  if (unknown.length > 0) {
    throw new errors.CustomOIDCProviderError('invalid_scope', `Invalid scopes: ${scope}`)
  }
}

function isKnown(scope: string): boolean {
  return (SCOPES as readonly string[]).includes(scope)
}

function refused(description: string): errors.InvalidGrant {
  const error = new errors.InvalidGrant(description)
  error.error_description = description
  return error
}

/** A session without a browser: it bounds the tokens as any other, and `sid` names it. */
async function tokensFor(
  provider: Provider,
  ctx: TokenEndpointGrantContext<Parameters>,
  account: Account,
): Promise<object> {
  const { client } = ctx.oidc
  const authTime = nowSeconds()
  const grant = await newGrant(provider, account.id, client.clientId)
  const session = new provider.Session()
  session.loginAccount({ accountId: account.id, loginTs: authTime, acr: ACR, amr: AMR })
  session.ensureClientContainer(client.clientId)
  session.grantIdFor(client.clientId, grant.jti)
  await session.save(sessionSecondsLeft(authTime))

  const scope = ctx.oidc.params.scope ?? DEFAULT_SCOPE
  const given = {
    accountId: account.id,
    client,
    grantId: grant.jti,
    gty: PASSWORD_GRANT,
    sessionUid: session.uid,
    expiresWithSession: true,
    scope,
  }
  const refreshToken = new provider.RefreshToken({
    ...given,
    ...{ acr: ACR, amr: AMR, authTime, resource: API_RESOURCE, rotations: 0 },
  })
  ctx.oidc.entity('Account', carried(account))
  ctx.oidc.entity('Grant', grant)
  ctx.oidc.entity('RefreshToken', refreshToken)
  const accessToken = new provider.AccessToken(given)
  accessToken.resourceServer = new provider.ResourceServer(API_RESOURCE, requireApi(API_RESOURCE))
  ctx.oidc.entity('AccessToken', accessToken)
  return {
    access_token: await accessToken.save(),
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: await refreshToken.save(),
    token_type: 'Bearer',
    scope,
  }
}
