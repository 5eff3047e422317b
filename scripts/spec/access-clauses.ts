import type { Clause } from './clause.ts'

const PROVIDER = '5.1 Identity provider'
const BROWSER = '5.2 Browser clients: Authorization Code + PKCE'
const SCRIPTS = '5.3 Scripts and integration tests'
const TOKEN = '5.4 Token contents'
const PERMISSIONS = '5.5 Permissions'
const HEADERS = '5.6 Developer headers'

export const accessClauses: readonly Clause[] = [
  {
    id: '5.1.1',
    section: PROVIDER,
    states: 'An OpenID Connect identity provider, realm `tfs`, at `{auth_url}`.',
    answer:
      '`OIDC_ISSUER`, e.g. `https://auth.example.org/realms/tfs`; any provider that issues such tokens.',
  },
  {
    id: '5.1.2',
    section: PROVIDER,
    states: 'The APIs read the caller’s identity from `Authorization: Bearer <ACCESS_TOKEN>`.',
    answer: 'Both surfaces; signature, issuer, audience, times and kind of the token are checked.',
  },
  {
    id: '5.1.3',
    section: PROVIDER,
    states: 'Endpoint addresses should be resolved from the discovery document.',
    answer:
      '`jwks_uri` is; nothing is hard-coded. `OIDC_DISCOVERY_URL` says where discovery is reached when that differs.',
  },
  {
    id: '5.2.1',
    section: BROWSER,
    states:
      'Public clients hold no secret; the app generates a random `code_verifier` and derives the `code_challenge` by SHA-256.',
    answer:
      '`tfs-ops`, `tfs-portal`, `tfs-cli` are public clients; a challenge that is not S256 is refused.',
  },
  {
    id: '5.2.2',
    section: BROWSER,
    states:
      'Redirect to the `authorization_endpoint` with `response_type=code` and `code_challenge_method=S256`.',
    answer: 'Any other response type or method is refused.',
  },
  {
    id: '5.2.3',
    section: BROWSER,
    states: 'After login the provider returns a short-lived code.',
    answer: 'To an exactly registered redirect address, with `iss` and `state`.',
  },
  {
    id: '5.2.4',
    section: BROWSER,
    states:
      'The app posts `code` and `code_verifier`; the provider verifies the hash, then issues the access token.',
    answer: 'No token without the right verifier.',
  },
  {
    id: '5.3.1',
    section: SCRIPTS,
    states: 'A token can be had without a browser by the password grant with client `tfs-ops`.',
    answer: 'For scripts and tests; people use the browser.',
  },
  {
    id: '5.4.1',
    section: TOKEN,
    states: '`aud` is `tfs-core-api`.',
    answer: 'A token without this audience is 401; `OIDC_AUDIENCE` changes the expected one.',
  },
  {
    id: '5.4.2',
    section: TOKEN,
    states: '`azp` is the client that obtained the token.',
    answer: 'Shown as `clientId`, kept in the audit trail; `OIDC_CLIENTS` is an allow-list.',
  },
  {
    id: '5.4.3',
    section: TOKEN,
    states: '`preferred_username` is the user name.',
    answer:
      'Names people in answers and joins the four-eyes comparison; without it the `sub` stands in, and the caller decides nothing.',
  },
  {
    id: '5.4.4',
    section: TOKEN,
    states: '`realm_access.roles` is an array of permission codes.',
    answer: 'Only its strings count; anything but an array means no permissions.',
  },
  {
    id: '5.5.1',
    section: PERMISSIONS,
    states:
      'Realm roles are the permission codes, `<resource>:<action>`: `party:create`, `contract:approve`, `report:prepare`.',
    answer:
      'One catalogue assembled from the slices; `GET /api/v1/permissions` shows it. See [permissions](reference/permissions.md).',
  },
  {
    id: '5.5.2',
    section: PERMISSIONS,
    states: 'The APIs read permissions from `realm_access.roles`.',
    answer: 'And from no other claim.',
  },
  {
    id: '5.5.3',
    section: PERMISSIONS,
    states: 'Each endpoint is permission-gated; contract approval requires `contract:approve`.',
    answer: '403 `PERMISSION_MISSING` names the code.',
  },
  {
    id: '5.5.4',
    section: PERMISSIONS,
    states:
      'On four-eyes endpoints the preparer who tries to approve gets 409 `FOUR_EYES_SAME_USER`.',
    answer:
      'Two callers are the same when they share subject, user name (folded), actor or person. Creator, every editor and submitter count. Nobody is exempt.',
  },
  {
    id: '5.6.1',
    section: HEADERS,
    states:
      '`x-dev-user`, `x-dev-permissions`, `x-dev-party`, `x-dev-partner`, for local development only.',
    answer:
      'Developer mode answers on loopback only, through no proxy, and never with `NODE_ENV=production`.',
  },
  {
    id: '5.6.2',
    section: HEADERS,
    states:
      'With `OIDC_ISSUER` configured both surfaces refuse requests that send any of them; in every deployed environment.',
    answer:
      'By presence, before the token, on every path and method, also while the provider is away; an empty `OIDC_ISSUER` stops the start.',
  },
  {
    id: '5.6.3',
    section: HEADERS,
    states:
      'Without a provider `x-dev-permissions` is taken verbatim and `x-dev-party` selects the party of `/my/*`.',
    answer: 'Exactly the named permissions, none by default.',
  },
  {
    id: '5.6.4',
    section: HEADERS,
    states: 'Such a request to a deployed environment is answered with `MSG-G-12`.',
    answer: '400 problem body that names the headers.',
  },
  {
    id: '5.6.5',
    section: HEADERS,
    states: 'Deployed environments require a real access token.',
    answer: 'Without one: 401, whatever else is sent.',
  },
]
