import { accountOf } from './accounts.ts'
import {
  authorizationUrl,
  type CodeRequest,
  exchangeCode,
  newPkce,
  type PendingCode,
  redirectAnswer,
} from './code-flow.ts'
import type { Keycloak } from './server.ts'
import type { TokenAnswer } from './tokens.ts'

/**
 * What an administrator gets who presses "Impersonate" and then opens the app: a session of the
 * user from the admin API, and a code flow in it that asks for no login.
 */
export async function impersonatedTokens(
  keycloak: Keycloak,
  username: string,
  request: CodeRequest,
): Promise<TokenAnswer> {
  const { code, pkce } = await impersonatedCode(keycloak, username, request)
  return await exchangeCode(keycloak, request, code, pkce.verifier)
}

/** The same up to the code, which is not used yet. */
export async function impersonatedCode(
  keycloak: Keycloak,
  username: string,
  request: CodeRequest,
): Promise<PendingCode> {
  const cookie = await impersonationCookie(keycloak, username)
  const pkce = newPkce()
  const answer = await fetch(authorizationUrl(keycloak, request, pkce), {
    headers: { cookie },
    redirect: 'manual',
  })
  const code = redirectAnswer(answer).get('code')
  if (code === null) throw new Error('The impersonated session gave no code.')
  return { code, pkce }
}

async function impersonationCookie(keycloak: Keycloak, username: string): Promise<string> {
  const { id } = await accountOf(keycloak.admin, username)
  const path = `/admin/realms/tfs/users/${id}/impersonation`
  const begun = await keycloak.adminRequest('POST', path, {})
  if (!begun.ok) throw new Error(`Impersonation refused: ${begun.status} ${await begun.text()}`)
  return begun.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((pair) => !pair.endsWith('=')) // cookies that the answer clears
    .join('; ')
}
