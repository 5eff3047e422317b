import type { Configuration, JWK, KoaContextWithOIDC } from 'oidc-provider'
import type { Db } from '../../storage/tx.ts'
import { adapterOver } from '../artifacts/adapter.ts'
import type { CookieKeys } from '../keys/cookie-keys.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import {
  ACCESS_TOKEN_SECONDS,
  CODE_SECONDS,
  DEVICE_CODE_SECONDS,
  nowSeconds,
  SESSION_MAX_SECONDS,
  SIGN_IN_SECONDS,
  sessionSecondsLeft,
} from '../lifetimes.ts'
import { API_RESOURCE, issuerOf, PATHS, REALM_PATH } from '../realm.ts'
import type { DeviceGuesses } from '../sign-in/device-guesses.ts'
import { type AccountsView, CLAIMS_BY_SCOPE, carried } from './accounts-view.ts'
import { requireApi } from './api-resource.ts'
import { ACR } from './authentication.ts'
import { type ClientOptions, partnerClientMetadata, publicClients } from './clients.ts'
import { grantOfRequest, SCOPES } from './grants.ts'
import { prompts } from './prompts.ts'
import { type Sources, sourcesOf } from './sources.ts'
import { tokenClaimsOf } from './token-claims.ts'

export interface RealmOptions extends ClientOptions {
  readonly db: Db
  readonly port: number
  readonly accounts: AccountsView
  readonly cookieKeys: CookieKeys
  readonly deviceGuesses: DeviceGuesses
}

/** Everything that oidc-provider is told; no default of its own that matters is left standing. */
export function configurationOf(realm: RealmOptions, keys: SigningKeys): Configuration {
  const { db, accounts, port } = realm
  const sources = sourcesOf(accounts, realm.deviceGuesses)
  return {
    adapter: adapterOver(db, async (id) => {
      const client = await accounts.activeClient(id)
      return client && partnerClientMetadata(client.id, client.secretSha256)
    }),
    clients: publicClients(realm),
    jwks: { keys: keys.map(({ jwk }) => jwk as JWK) },
    cookies: cookiesOf(realm),
    routes: ROUTES,
    ttl: LIFETIMES,
    features: featuresOf(sources),
    pkce: { required: () => true },
    responseTypes: ['code'],
    scopes: SCOPES,
    claims: { ...CLAIMS_BY_SCOPE, acr: null, auth_time: null, sid: null, iss: null },
    acrValues: [ACR],
    subjectTypes: ['public'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    acceptQueryParamAccessTokens: false,
    clockTolerance: 0,
    clientBasedCORS: () => true,
    findAccount: async (_ctx, id) => {
      const account = await accounts.activeAccount(id)
      return account && carried(account)
    },
    loadExistingGrant: grantOfRequest,
    interactions: {
      policy: prompts(),
      url: (_ctx, interaction) => `${REALM_PATH}${PATHS.signIn}/${interaction.uid}`,
    },
    extraTokenClaims: tokenClaimsOf(accounts),
    formats: { customizers: { jwt: (_ctx, _token, jwt) => withoutExtras(jwt.payload) } },
    extraParams: { audience: defaultScope },
    // Browser clients renew without `offline_access`: rotation and the session bound it.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => true,
    revokeGrantPolicy: () => true,
    renderError: sources.renderError,
    discovery: { userinfo_endpoint: `${issuerOf(port)}${PATHS.userinfo}` },
  }
}

const ROUTES: NonNullable<Configuration['routes']> = {
  authorization: PATHS.authorization,
  token: PATHS.token,
  jwks: PATHS.jwks,
  end_session: PATHS.endSession,
  revocation: PATHS.revocation,
  introspection: PATHS.introspection,
  device_authorization: PATHS.deviceAuthorization,
  code_verification: PATHS.device,
}

const LIFETIMES: NonNullable<Configuration['ttl']> = {
  AccessToken: ACCESS_TOKEN_SECONDS,
  ClientCredentials: ACCESS_TOKEN_SECONDS,
  IdToken: ACCESS_TOKEN_SECONDS,
  AuthorizationCode: CODE_SECONDS,
  DeviceCode: DEVICE_CODE_SECONDS,
  Interaction: SIGN_IN_SECONDS,
  Grant: SESSION_MAX_SECONDS,
  // Idleness ends the session and with it the token; a used one is remembered until the very end.
  RefreshToken: (_ctx, token) => untilSessionEnds(token.authTime),
  Session: (_ctx, session) => sessionSecondsLeft(session.loginTs),
}

function untilSessionEnds(authTime: number | undefined): number {
  return Math.max(1, (authTime ?? nowSeconds()) + SESSION_MAX_SECONDS - nowSeconds())
}

function featuresOf(sources: Sources): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // Its tokens have no audience, ours have one: userinfo is our own.
    userinfo: { enabled: false },
    introspection: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****', ...sources.device },
    rpInitiatedLogout: { enabled: true, ...sources.logout },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => API_RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => requireApi(resource),
    },
  }
}

function cookiesOf({ cookieKeys, port }: RealmOptions): NonNullable<Configuration['cookies']> {
  const guarded = { httpOnly: true, signed: true, sameSite: 'lax', overwrite: true } as const
  return {
    // Cookies do not know ports: two providers on one machine must not take each other's.
    names: {
      session: `tfs_session_${port}`,
      interaction: `tfs_interaction_${port}`,
      resume: `tfs_resume_${port}`,
    },
    long: { ...guarded, path: REALM_PATH },
    short: guarded,
    keys: [...cookieKeys],
  }
}

function withoutExtras(payload: Record<string, unknown>): void {
  delete payload['client_id']
  delete payload['scope']
}

/**
 * A request without a scope gets our defaults, as Keycloak does it: oidc-provider would refuse it
 * for granting nothing. Its validators of extra parameters are the one place that may assign
 * defaults.
 */
function defaultScope({ oidc }: KoaContextWithOIDC): void {
  const { params } = oidc
  if (params !== undefined && params['scope'] === undefined) params['scope'] = 'profile'
}
