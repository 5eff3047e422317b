import type { Grant, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { API_RESOURCE } from '../realm.ts'

export const SCOPES = ['openid', 'profile', 'email'] as const
export const ALL_SCOPES: string = SCOPES.join(' ')

/** Our own clients need no consent: whoever signs in grants them what they ask for. */
export async function newGrant(
  provider: Provider,
  accountId: string,
  clientId: string,
): Promise<Grant> {
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope(ALL_SCOPES)
  grant.addResourceScope(API_RESOURCE, ALL_SCOPES)
  await grant.save()
  return grant
}

/** One grant per session and client, so that a logout finds everything that was given. */
export async function grantOfRequest(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { provider, client, account, session } = ctx.oidc
  if (client === undefined || account === undefined) return undefined
  const grantId = session?.grantIdFor(client.clientId)
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  if (known?.accountId === account.accountId && known.clientId === client.clientId) return known
  return newGrant(provider, account.accountId, client.clientId)
}
