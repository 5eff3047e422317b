import { DEMO_PARTNER_CLIENT } from '../../deploy/keycloak/demo-users.ts'

/** Where tokens come from; a running `Keycloak` is one. */
export interface Issuer {
  readonly issuer: string
}

export interface TokenBody {
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly expires_in?: number
  readonly scope?: string
  readonly error?: string
  readonly error_description?: string
}

export interface TokenAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: TokenBody
}

export function endpointOf({ issuer }: Issuer, name: string): string {
  return `${issuer}/protocol/openid-connect/${name}`
}

/** Posts exactly these parameters to the token endpoint. */
export async function tokenAnswer(
  provider: Issuer,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const answer = await fetch(endpointOf(provider, 'token'), {
    method: 'POST',
    body: new URLSearchParams(parameters),
  })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as TokenBody,
  }
}

/** The four parameters of the contract and no other (spec 4). Demo passwords are the names. */
export async function passwordGrant(
  provider: Issuer,
  username: string,
  password = username,
): Promise<TokenAnswer> {
  const parameters = { grant_type: 'password', client_id: 'tfs-ops', username, password }
  return await tokenAnswer(provider, parameters)
}

export async function accessTokenOf(provider: Issuer, username: string): Promise<string> {
  return requireAccessToken(await passwordGrant(provider, username))
}

/** The example of a partner's own system, by its client credentials. */
export async function partnerAccessToken(provider: Issuer): Promise<string> {
  const { clientId, secret } = DEMO_PARTNER_CLIENT
  const answer = await tokenAnswer(provider, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: secret,
  })
  return requireAccessToken(answer)
}

export async function refreshGrant(
  provider: Issuer,
  refreshToken: string | undefined,
  clientId = 'tfs-ops',
): Promise<TokenAnswer> {
  return await tokenAnswer(provider, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken ?? '',
  })
}

export function requireAccessToken({ status, body }: TokenAnswer): string {
  if (body.access_token !== undefined) return body.access_token
  throw new Error(`No access token: ${status} ${body.error} ${body.error_description}`)
}

export type Claims = Readonly<Record<string, unknown>>

export function headerOf(token: string): Claims {
  return decoded(token, 0)
}

export function claimsOf(token: string): Claims {
  return decoded(token, 1)
}

function decoded(token: string, part: number): Claims {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())
}
