import type { AccessToken, ClientCredentials, KoaContextWithOIDC } from 'oidc-provider'
import type { Account } from '../accounts/account.ts'
import type { AccountsView, CarriedAccount } from './accounts-view.ts'
import { ACR } from './authentication.ts'

const SERVICE_ACCOUNT = 'service-account-'

/** Spec 5.4 and the platform contract, section 10: these claims and no others. */
export function tokenClaimsOf(accounts: AccountsView) {
  return async (
    ctx: KoaContextWithOIDC,
    token: AccessToken | ClientCredentials,
  ): Promise<Record<string, unknown>> =>
    token.kind === 'ClientCredentials'
      ? systemClaims(accounts, token.clientId as string)
      : personClaims(ctx, token)
}

function personClaims(ctx: KoaContextWithOIDC, token: AccessToken): Record<string, unknown> {
  const { account } = ctx.oidc.entities.Account as CarriedAccount
  const { sessionUid } = token as { sessionUid?: string }
  return {
    ...claimsOfHolder(token.clientId as string, account.username, account),
    ...(sessionUid !== undefined && { sid: sessionUid }),
    auth_time: authTimeOf(ctx),
    acr: ACR,
  }
}

/** Named as Keycloak names it, so that the API knows that no person is calling. */
async function systemClaims(
  accounts: AccountsView,
  clientId: string,
): Promise<Record<string, unknown>> {
  const client = await accounts.activeClient(clientId)
  if (client === undefined) throw new Error(`Client ${clientId} vanished while it was served.`)
  const holder = { permissions: client.permissions, partyId: null, partnerId: client.partnerId }
  return { ...claimsOfHolder(clientId, `${SERVICE_ACCOUNT}${clientId}`, holder), acr: ACR }
}

function claimsOfHolder(
  clientId: string,
  username: string,
  holder: Pick<Account, 'permissions' | 'partyId' | 'partnerId'>,
): Record<string, unknown> {
  return {
    typ: 'Bearer',
    azp: clientId,
    preferred_username: username,
    realm_access: { roles: holder.permissions },
    ...(holder.partyId !== null && { partyId: holder.partyId }),
    ...(holder.partnerId !== null && { partnerId: holder.partnerId }),
  }
}

/** When the person signed in, as the code, device code or refresh token remembers it. */
function authTimeOf({ oidc: { entities } }: KoaContextWithOIDC): number | undefined {
  const source = entities.AuthorizationCode ?? entities.DeviceCode ?? entities.RefreshToken
  return source?.authTime
}
