/** Names of the realm and the shape of its addresses: Keycloak's own (spec section 4). */
export const REALM_PATH = '/realms/tfs'
export const AUDIENCE = 'tfs-core-api'

/** JWT access tokens exist in oidc-provider only for a resource server; this is its inner name. */
export const API_RESOURCE = `urn:tfs:${AUDIENCE}`

const PROTOCOL = '/protocol/openid-connect'

/** Relative to the issuer. */
export const PATHS = {
  discovery: '/.well-known/openid-configuration',
  oauthDiscovery: '/.well-known/oauth-authorization-server',
  authorization: `${PROTOCOL}/auth`,
  token: `${PROTOCOL}/token`,
  jwks: `${PROTOCOL}/certs`,
  userinfo: `${PROTOCOL}/userinfo`,
  endSession: `${PROTOCOL}/logout`,
  endSessionConfirm: `${PROTOCOL}/logout/confirm`,
  endSessionSuccess: `${PROTOCOL}/logout/success`,
  revocation: `${PROTOCOL}/revoke`,
  introspection: `${PROTOCOL}/token/introspect`,
  deviceAuthorization: `${PROTOCOL}/auth/device`,
  device: '/device',
  signIn: '/login-actions',
} as const

export function issuerOf(port: number): string {
  return `${originOf(port)}${REALM_PATH}`
}

export function originOf(port: number): string {
  return `http://localhost:${port}`
}
