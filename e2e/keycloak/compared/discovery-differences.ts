import type { ExpectedDifference } from './expected-differences.ts'

const inDiscovery = (...names: string[]): string[] => names.map((name) => `/discovery/${name}`)

/** Keycloak's document speaks for the whole server, ours for what our clients use. */
export const discoveryDifferences: readonly ExpectedDifference[] = [
  {
    pointers: inDiscovery('code_challenge_methods_supported'),
    embedded: ['S256'],
    reason:
      'S256 is the only method of the contract (spec 4.11). In the realm files every client is set to S256, so `plain` is refused there too, whatever the document says.',
  },
  {
    pointers: inDiscovery('response_types_supported'),
    embedded: ['code'],
    reason: 'The code flow is the only browser flow of the contract (spec 5.2).',
  },
  {
    pointers: inDiscovery('response_modes_supported'),
    embedded: ['fragment', 'query'],
    reason: '`form_post` needs a script on the page; the pages here have none.',
  },
  {
    pointers: inDiscovery('grant_types_supported'),
    embedded: [
      'authorization_code',
      'client_credentials',
      'password',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    reason: 'Those that console, portal, command line, scripts and partners’ systems use.',
  },
  {
    pointers: inDiscovery('scopes_supported'),
    embedded: ['email', 'openid', 'profile'],
    reason:
      'Permissions are roles, not scopes. No `offline_access`: a refresh token ends with its session.',
  },
  {
    pointers: inDiscovery('claims_supported'),
    embedded: [
      'acr',
      'auth_time',
      'email',
      'email_verified',
      'family_name',
      'given_name',
      'iss',
      'name',
      'preferred_username',
      'sid',
      'sub',
    ],
    reason: 'Claims about the person and the session; those that every token has are not listed.',
  },
  {
    pointers: inDiscovery('claims_parameter_supported'),
    embedded: false,
    reason: 'Which claims a token has follows from the account alone.',
  },
  {
    pointers: inDiscovery('acr_values_supported'),
    embedded: ['1'],
    reason:
      '`0` is Keycloak’s word for a session that began without a login, e.g. by impersonation.',
  },
  {
    pointers: inDiscovery('subject_types_supported'),
    embedded: ['public'],
    reason: 'Four-eyes compares the `sub` across clients, so it is the same for all of them.',
  },
  {
    pointers: inDiscovery('token_endpoint_auth_methods_supported'),
    embedded: ['client_secret_basic', 'client_secret_post', 'none'],
    reason:
      'Public clients (`none`) and partners’ systems with a secret; no keys, no certificates.',
  },
  {
    pointers: inDiscovery(
      'introspection_endpoint_auth_methods_supported',
      'introspection_endpoint_auth_signing_alg_values_supported',
      'revocation_endpoint_auth_methods_supported',
      'revocation_endpoint_auth_signing_alg_values_supported',
      'token_endpoint_auth_signing_alg_values_supported',
    ),
    reason: 'As at the token endpoint; clients sign nothing.',
  },
  {
    pointers: inDiscovery('id_token_signing_alg_values_supported'),
    embedded: ['RS256'],
    reason: 'The one algorithm that the API takes by default.',
  },
  {
    pointers: inDiscovery(
      'authorization_encryption_alg_values_supported',
      'authorization_encryption_enc_values_supported',
      'authorization_signing_alg_values_supported',
      'id_token_encryption_alg_values_supported',
      'id_token_encryption_enc_values_supported',
      'userinfo_encryption_alg_values_supported',
      'userinfo_encryption_enc_values_supported',
      'userinfo_signing_alg_values_supported',
    ),
    reason: 'No answer but the ID token is signed, and none is encrypted.',
  },
  {
    pointers: inDiscovery('request_uri_parameter_supported'),
    embedded: false,
    reason: 'Requests come as plain parameters; nothing is fetched on a stranger’s word.',
  },
  {
    pointers: inDiscovery(
      'request_object_encryption_alg_values_supported',
      'request_object_encryption_enc_values_supported',
      'request_object_signing_alg_values_supported',
      'request_parameter_supported',
      'require_request_uri_registration',
    ),
    reason: 'No request objects (RFC 9101): our clients are public and have nothing to sign with.',
  },
  {
    pointers: inDiscovery(
      'pushed_authorization_request_endpoint',
      'require_pushed_authorization_requests',
    ),
    reason: 'No pushed requests (RFC 9126), for the same reason.',
  },
  {
    pointers: inDiscovery(
      'dpop_signing_alg_values_supported',
      'mtls_endpoint_aliases',
      'tls_client_certificate_bound_access_tokens',
    ),
    reason: 'Access tokens are bearer tokens (spec 5.1.2); the API refuses bound ones.',
  },
  {
    pointers: inDiscovery(
      'backchannel_authentication_endpoint',
      'backchannel_authentication_request_signing_alg_values_supported',
      'backchannel_token_delivery_modes_supported',
    ),
    reason: 'No sign-in on another device by push (CIBA); the command line has the device flow.',
  },
  {
    pointers: inDiscovery(
      'backchannel_logout_session_supported',
      'backchannel_logout_supported',
      'check_session_iframe',
      'frontchannel_logout_session_supported',
      'frontchannel_logout_supported',
    ),
    reason:
      'A logout ends the session and its refresh tokens here; clients are not called, their access tokens end within 5 minutes.',
  },
  {
    pointers: inDiscovery('registration_endpoint'),
    reason: 'Clients are given; a partner’s system is added by an operator, never by itself.',
  },
  {
    pointers: inDiscovery('prompt_values_supported'),
    reason: 'Not announced. `login`, `consent` and `none` are understood.',
  },
]
