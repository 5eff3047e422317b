import { createHash, randomBytes } from 'node:crypto'
import { endpointOf, type Issuer, type TokenAnswer, tokenAnswer } from './tokens.ts'

export interface CodeRequest {
  readonly clientId: string
  readonly redirectUri: string
  /** Left out: a code flow without `openid`. */
  readonly scope?: string
}

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

/** A code that nobody has used yet. */
export interface PendingCode {
  readonly code: string
  readonly pkce: Pkce
}

/** Spec 5.2.1. */
export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function authorizationUrl(provider: Issuer, request: CodeRequest, pkce: Pkce): string {
  return authorizationUrlWith(provider, request, {
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
  })
}

/** For requests that are wrong on purpose. */
export function authorizationUrlWith(
  provider: Issuer,
  { clientId, redirectUri, scope }: CodeRequest,
  extra: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: randomBytes(8).toString('hex'),
    ...(scope === undefined ? {} : { scope }),
    ...extra,
  })
  return `${endpointOf(provider, 'auth')}?${parameters}`
}

export async function exchangeCode(
  provider: Issuer,
  { clientId, redirectUri }: CodeRequest,
  code: string,
  verifier: string,
): Promise<TokenAnswer> {
  return await tokenAnswer(provider, {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  })
}

/** What the provider says in a redirect back to the client: a code, or an error. */
export function redirectAnswer(answer: Response): URLSearchParams {
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`No redirect: ${answer.status}`)
  return new URL(location).searchParams
}
