import type { Browser } from 'playwright-core'
import { setEnabled } from './accounts.ts'
import { loginByBrowser } from './browser.ts'
import { exchangeCode } from './code-flow.ts'
import { impersonatedCode, impersonatedTokens } from './impersonation.ts'
import type { Keycloak } from './server.ts'
import {
  accessTokenOf,
  claimsOf,
  headerOf,
  partnerAccessToken,
  passwordGrant,
  refreshGrant,
  requireAccessToken,
  type TokenAnswer,
  tokenAnswer,
} from './tokens.ts'

export const CONSOLE = {
  clientId: 'tfs-ops',
  redirectUri: 'http://127.0.0.1:8080/console/',
  scope: 'openid',
}

/** What a real Keycloak says, by the name of its fixture, not yet made anonymous. */
export async function recordings(
  keycloak: Keycloak,
  browser: Browser,
): Promise<Record<string, unknown>> {
  return {
    discovery: await discovery(keycloak),
    'access-tokens': await accessTokens(keycloak, browser),
    'token-errors': await tokenErrors(keycloak),
  }
}

async function discovery({ issuer }: Keycloak): Promise<unknown> {
  return await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
}

async function accessTokens(keycloak: Keycloak, browser: Browser): Promise<unknown> {
  const customer = { username: 'customer', password: 'customer' }
  const portal = { clientId: 'tfs-portal', redirectUri: 'http://localhost:8080/portal/' }
  const login = await loginByBrowser(browser, keycloak, portal, customer)
  const impersonated = await impersonatedTokens(keycloak, 'approver', CONSOLE)
  return {
    passwordGrant: parts(await accessTokenOf(keycloak, 'preparer')),
    codeFlow: parts(requireAccessToken(login.tokens)),
    clientCredentials: parts(await partnerAccessToken(keycloak)),
    impersonated: parts(requireAccessToken(impersonated)),
  }
}

function parts(token: string) {
  return { header: headerOf(token), claims: claimsOf(token) }
}

/** `customer2` is the one who mistypes: five failures lock an account for a minute. */
async function tokenErrors(keycloak: Keycloak): Promise<unknown> {
  const post = (parameters: Record<string, string>) => tokenAnswer(keycloak, parameters)
  const ops = { client_id: 'tfs-ops' }
  const mistyped = { username: 'customer2', password: 'mistyped' }
  return {
    wrongPassword: said(await post({ grant_type: 'password', ...ops, ...mistyped })),
    unknownUser: said(await passwordGrant(keycloak, 'nobody')),
    disabledUser: said(await byDisabledUser(keycloak)),
    unknownClient: said(await post({ grant_type: 'password', client_id: 'nobody', ...mistyped })),
    clientWithoutPasswordGrant: said(
      await post({ grant_type: 'password', client_id: 'tfs-portal', ...mistyped }),
    ),
    missingGrantType: said(await post(ops)),
    missingUsername: said(await post({ grant_type: 'password', ...ops, password: 'x' })),
    missingPassword: said(await post({ grant_type: 'password', ...ops, username: 'nobody' })),
    missingCode: said(await post({ grant_type: 'authorization_code', ...ops })),
    unsupportedGrant: said(await post({ grant_type: 'magic', ...ops })),
    unknownScope: said(
      await post({ grant_type: 'password', ...ops, ...mistyped, scope: 'nonsense' }),
    ),
    ...(await codeErrors(keycloak)),
    ...(await refreshErrors(keycloak)),
  }
}

async function byDisabledUser(keycloak: Keycloak): Promise<TokenAnswer> {
  await setEnabled(keycloak.admin, 'auditor', false)
  const answer = await passwordGrant(keycloak, 'auditor')
  await setEnabled(keycloak.admin, 'auditor', true)
  return answer
}

async function codeErrors(keycloak: Keycloak) {
  const newCode = () => impersonatedCode(keycloak, 'approver', CONSOLE)
  const exchange = (code: string, verifier: string) =>
    exchangeCode(keycloak, CONSOLE, code, verifier)
  const verified = await newCode()
  const reused = await newCode()
  await exchange(reused.code, reused.pkce.verifier)
  const elsewhere = await newCode()
  return {
    badCode: said(await exchange('nonsense', reused.pkce.verifier)),
    badVerifier: said(await exchange(verified.code, 'v'.repeat(43))),
    missingVerifier: said(await exchange((await newCode()).code, '')),
    reusedCode: said(await exchange(reused.code, reused.pkce.verifier)),
    otherRedirectUri: said(
      await exchangeCode(
        keycloak,
        { ...CONSOLE, redirectUri: 'http://127.0.0.1:8081/console/' },
        elsewhere.code,
        elsewhere.pkce.verifier,
      ),
    ),
  }
}

async function refreshErrors(keycloak: Keycloak) {
  const { body } = await passwordGrant(keycloak, 'approver')
  await refreshGrant(keycloak, body.refresh_token)
  return {
    reusedRefreshToken: said(await refreshGrant(keycloak, body.refresh_token)),
    malformedRefreshToken: said(await refreshGrant(keycloak, 'nonsense')),
  }
}

function said({ status, headers, body }: TokenAnswer) {
  const named = (name: string) => headers.get(name)
  return {
    status,
    contentType: named('content-type'),
    cacheControl: named('cache-control'),
    wwwAuthenticate: named('www-authenticate'),
    body,
  }
}
