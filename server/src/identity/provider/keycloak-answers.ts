import type { Provider } from 'oidc-provider'
import { SESSION_IDLE_SECONDS } from '../lifetimes.ts'
import { PASSWORD_GRANT } from './clients.ts'
import { TooManyAttempts } from './too-many-attempts.ts'
import { StoreAway } from './unavailable.ts'

interface Answer {
  readonly error: string
  readonly error_description: string
  readonly status?: number
}

const RETRY_AFTER_SECONDS = 1

/**
 * oidc-provider says the reason of a refusal in `error_detail`, which it keeps to itself. Keycloak
 * says it to the client, in these words; scripts and people read them.
 */
const BY_DETAIL: readonly (readonly [RegExp, string])[] = [
  [/^authorization code (?:not found|is expired|already consumed)$/, 'Code not valid'],
  [/^AuthorizationCode was used twice/, 'Code not valid'],
  [/^code_verifier must be provided$/, 'PKCE verification failed: Invalid code verifier'],
  [/^code_verifier does not match/, 'PKCE verification failed: Code mismatch'],
  [/^authorization code redirect_uri mismatch$/, 'Incorrect redirect_uri'],
  [/^refresh token not found$/, 'Invalid refresh token'],
  [/^refresh token is expired$/, 'Token is not active'],
  [
    /^(?:refresh token already used|RefreshToken was used)/,
    'Maximum allowed refresh token reuse exceeded',
  ],
  [/^grant (?:not found|is expired)$/, 'Session not active'],
  [/referenced account not found/, 'User disabled'],
  [/^device code not found$/, 'Device code not valid'],
]

export function speakAsKeycloak(provider: Provider): void {
  provider.on('grant.success', (ctx) => {
    const body = ctx.body as Record<string, unknown>
    if (body['refresh_token'] === undefined) return
    const { sessionUid } = ctx.oidc.entities.RefreshToken as { sessionUid?: string }
    Object.assign(body, {
      refresh_expires_in: SESSION_IDLE_SECONDS,
      'not-before-policy': 0,
      session_state: sessionUid,
    })
    ctx.body = body
  })
  provider.on('grant.error', (ctx, error) => {
    if (error instanceof StoreAway) ctx.set('retry-after', String(RETRY_AFTER_SECONDS))
    if (error instanceof TooManyAttempts) ctx.set('retry-after', String(error.retryAfterSeconds))
    const { params } = ctx.oidc
    const answer = answerTo(error, params?.['grant_type'])
    if (answer === undefined || !ctx.response.is('json')) return
    const { status, ...body } = answer
    if (status !== undefined) ctx.status = status
    ctx.body = body
  })
}

interface Failure {
  readonly error: string
  readonly error_description?: string | undefined
  readonly error_detail?: string | undefined
}

function answerTo(failure: Failure, grantType: unknown): Answer | undefined {
  const { error, error_description: description = '', error_detail: detail = '' } = failure
  if (error === 'invalid_grant') {
    const text = BY_DETAIL.find(([pattern]) => pattern.test(detail))?.[1]
    return text === undefined ? undefined : { error, error_description: text }
  }
  if (error === 'invalid_client') {
    return { error, error_description: 'Invalid client or Invalid client credentials' }
  }
  if (error === 'unsupported_grant_type' && grantType === PASSWORD_GRANT)
    return notAllowed(grantType)
  if (error === 'unsupported_grant_type') {
    return { error, error_description: 'Unsupported grant_type' }
  }
  if (description === 'requested grant type is not allowed for this client') {
    return notAllowed(grantType)
  }
  const [, missing] = /^missing required parameters? \W?(\w+)/.exec(description) ?? []
  if (missing === undefined) return undefined
  const what = missing === 'grant_type' ? 'form parameter' : 'parameter'
  return { error, error_description: `Missing ${what}: ${missing}` }
}

function notAllowed(grantType: unknown): Answer {
  const flow = grantType === PASSWORD_GRANT ? 'direct access grants' : String(grantType)
  return { error: 'unauthorized_client', error_description: `Client not allowed for ${flow}` }
}
