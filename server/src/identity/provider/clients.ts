import type { ClientMetadata } from 'oidc-provider'

export const OPS_CLIENT = 'tfs-ops'
export const PORTAL_CLIENT = 'tfs-portal'
export const CLI_CLIENT = 'tfs-cli'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const PASSWORD_GRANT = 'password'

/** `form_post` would need a script on the page. */
export const RESPONSE_MODES = ['query', 'fragment']

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1'] as const

export interface ClientOptions {
  /**
   * Base addresses of the API, e.g. `http://localhost:8080`: console and portal live below them.
   */
  readonly baseUrls: readonly string[]
  /** Demo: console and portal may come from any loopback port, e.g. a development server. */
  readonly demo: boolean
  readonly passwordGrant: boolean
}

/**
 * The public clients of the platform contract, section 10. Partners' systems come from the
 * database.
 */
export function publicClients(options: ClientOptions): ClientMetadata[] {
  return [
    browserClient(OPS_CLIENT, 'TFS operations console', '/console/', options),
    browserClient(PORTAL_CLIENT, 'TFS customer portal', '/portal/', options),
    {
      ...publicClient(CLI_CLIENT, 'TFS command line'),
      // RFC 8252, 7.3: the port of a loopback address is the program's to choose.
      application_type: 'native',
      redirect_uris: LOOPBACK_HOSTS.map((host) => `http://${host}/callback`),
      grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
    },
  ]
}

function browserClient(
  id: string,
  name: string,
  path: string,
  { baseUrls, demo, passwordGrant }: ClientOptions,
): ClientMetadata {
  const own = baseUrls.map((base) => new URL(path, base).href)
  const anyPort = demo ? LOOPBACK_HOSTS.map((host) => `http://${host}${path}`) : []
  const uris = [...own, ...anyPort]
  const grants = ['authorization_code', 'refresh_token']
  return {
    ...publicClient(id, name),
    application_type: demo ? 'native' : 'web',
    redirect_uris: uris,
    post_logout_redirect_uris: uris,
    // Spec 5.3: the password grant is for client tfs-ops alone.
    grant_types: passwordGrant && id === OPS_CLIENT ? [...grants, PASSWORD_GRANT] : grants,
  }
}

function publicClient(id: string, name: string): ClientMetadata {
  return {
    client_id: id,
    client_name: name,
    token_endpoint_auth_method: 'none',
    response_types: ['code'],
    response_modes: RESPONSE_MODES,
  }
}

export function partnerClientMetadata(id: string, secretSha256: string): ClientMetadata {
  return {
    client_id: id,
    client_secret: secretSha256,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
  }
}

/** Which pages may read answers: those that a redirect can lead to, and no others. */
export function isRegisteredOrigin(origin: string, { baseUrls, demo }: ClientOptions): boolean {
  if (baseUrls.some((base) => new URL(base).origin === origin)) return true
  if (!demo) return false
  const url = URL.parse(origin)
  return (
    url !== null &&
    url.origin === origin &&
    url.protocol === 'http:' &&
    (LOOPBACK_HOSTS as readonly string[]).includes(url.hostname)
  )
}
