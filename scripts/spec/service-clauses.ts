import type { Clause } from './clause.ts'

const SERVICE = '1 What the service does'
const RESOURCES = '2 Resources and their fields'
const STATES = '3 States and transitions'
const ENDPOINTS = '4 Endpoints'
const EVENTS = '6 Events'
const ERRORS = '7 Errors'
const LIMITS = '8 Limits'
const VERSIONING = '9 Versioning'

export const serviceClauses: readonly Clause[] = [
  {
    id: '1.1',
    section: SERVICE,
    states:
      'A platform API with the path prefix `/api/v1`, a contract resource and a self-service area `/api/v1/my/*` that returns the contracts of one party.',
    answer:
      '`/api/v1/contracts`, `/api/v1/my/contracts`. The party of `/my` comes from the caller, never from the request.',
  },
  {
    id: '1.2',
    section: SERVICE,
    states:
      'Operations on contracts include approval; some are four-eyes operations: one user prepares, a different one approves.',
    answer:
      'Approve, reject and return are four-eyes; so will be activation and every pending change. One function decides, and the database decides again.',
  },
  {
    id: '1.3',
    section: SERVICE,
    states: 'The API is permission-gated: each endpoint needs a named permission code.',
    answer:
      'A route without a permission does not compile and does not start. `GET /me` and `GET /permissions` need identity alone; the OpenAPI documents are public.',
  },
  {
    id: '1.4',
    section: SERVICE,
    states:
      'Two API surfaces, operations-facing and customer-facing, with the same rule on developer headers.',
    answer:
      'Both are built from one kernel. The rule stands in front of the router, so it holds on every path of the listener.',
  },
  {
    id: '1.5',
    section: SERVICE,
    states: 'Purpose beyond these statements: not shown.',
    answer:
      'A financing platform: parties hold contracts, often brought in by partners; staff prepare and other staff approve.',
  },
  {
    id: '2.1',
    section: RESOURCES,
    states:
      'A contract has a string identifier `<contract_id>`; a party has `<party_id>`, carried as `partyId`.',
    answer:
      'Opaque ids that sort by time (`ctr_…`, `pty_…`). A contract is also found by its number.',
  },
  {
    id: '2.2',
    section: RESOURCES,
    states: 'Fields: not shown.',
    answer:
      'Contract and party as in [openapi-operations.json](reference/openapi-operations.json); money as decimal strings with a currency; unknown fields are refused.',
  },
  {
    id: '3.1',
    section: STATES,
    states: 'States and transitions: not shown.',
    answer:
      '`DRAFT → PENDING_APPROVAL → APPROVED → ACTIVE → SETTLED | TERMINATED`, with `REJECTED`, `WITHDRAWN` and the return to `DRAFT`. Any other move is 409 `INVALID_STATE`.',
  },
  {
    id: '4.1',
    section: ENDPOINTS,
    states:
      '`GET {base_url}/api/v1/contracts/<contract_id>` reads one contract. Permission code: not shown.',
    answer:
      '`contract:read`, or `contract:approve`, since a decider must be able to open what is decided. Any string is an id; an unknown one is 404.',
  },
  {
    id: '4.2',
    section: ENDPOINTS,
    states:
      '`{base_url}/api/v1/contracts/<contract_id>/…` (approval) approves a contract; a four-eyes operation; `contract:approve`. Method not shown.',
    answer: '`POST /api/v1/contracts/{contract_id}/approve`.',
  },
  {
    id: '4.3',
    section: ENDPOINTS,
    states:
      '`{base_url}/api/v1/my/*`: customer self-service reading of the caller’s own contracts. Permission code: not shown.',
    answer: '`my:read` or `contract:read`; the rows are the caller’s party’s either way.',
  },
  {
    id: '4.4',
    section: ENDPOINTS,
    states: 'Discovery: `GET {auth_url}/realms/tfs/.well-known/openid-configuration`.',
    answer:
      'The API fetches the provider’s addresses and keys from there and from nowhere else; `issuer` inside must equal `OIDC_ISSUER`.',
  },
  {
    id: '4.5',
    section: ENDPOINTS,
    states: '`authorization_endpoint`: GET `{auth_url}/realms/tfs/protocol/openid-connect/auth`.',
    answer: 'The same path at the embedded provider and at Keycloak.',
  },
  {
    id: '4.6',
    section: ENDPOINTS,
    states:
      '`token_endpoint`: POST, form-encoded, `{auth_url}/realms/tfs/protocol/openid-connect/token`.',
    answer: 'The same path at the embedded provider and at Keycloak.',
  },
  {
    id: '4.7',
    section: ENDPOINTS,
    states: 'Every API request carries `Authorization: Bearer <ACCESS_TOKEN>`.',
    answer:
      'Once, in the header. A token in query, body or cookie is no credential; two lines are 400.',
  },
  {
    id: '4.8',
    section: ENDPOINTS,
    states: 'Password grant: `grant_type=password`, `client_id=tfs-ops`, `username`, `password`.',
    answer:
      'Exactly these four, no scope, no secret; on while the embedded provider is on loopback, `TFS_PASSWORD_GRANT` switches it off.',
  },
  {
    id: '4.9',
    section: ENDPOINTS,
    states:
      'Authorization code + PKCE: `code` and `code_verifier`, whose SHA-256 hash is the `code_challenge`.',
    answer:
      'A missing or wrong verifier gets no token; a code works once, and using it twice revokes what it gave.',
  },
  {
    id: '4.10',
    section: ENDPOINTS,
    states:
      'The token response contains `access_token`, which is placed in the Authorization header.',
    answer: 'A JWT that the API takes as it is.',
  },
  {
    id: '4.11',
    section: ENDPOINTS,
    states:
      'Authorization endpoint parameters: `response_type=code`, `code_challenge_method=S256`, `code_challenge`.',
    answer: 'S256 is the only method and required for every client.',
  },
  {
    id: '4.12',
    section: ENDPOINTS,
    states: 'Payload of the contract read: not shown.',
    answer:
      'The contract with plan figures, approval story, flags and `actions[]`: what the caller may do with it and why not.',
  },
  {
    id: '4.13',
    section: ENDPOINTS,
    states: 'Path, method and payload of the approval: not shown.',
    answer:
      '`POST …/approve`, body optional `{comment}`; answers 200 with the contract. `If-Match` is honoured and recorded.',
  },
  {
    id: '4.14',
    section: ENDPOINTS,
    states: 'Shapes of `/api/v1/my/*`: not shown.',
    answer:
      '`GET /my/contracts` and `GET /my/contracts/{contract_id}`, made from an allow-list: no commission, internal note or staff name. A foreign id is 404.',
  },
  {
    id: '6.1',
    section: EVENTS,
    states: 'Events, webhooks or notifications: not shown.',
    answer:
      'Every state change writes an event with ids, never contents, to an outbox in the same transaction.',
  },
  {
    id: '7.1',
    section: ERRORS,
    states:
      '409 `FOUR_EYES_SAME_USER` when the preparer of an item tries to approve it on a four-eyes endpoint.',
    answer:
      'Checked before the state, so that a preparer always learns this reason; the body names `preparedBy` and `preparedAt`.',
  },
  {
    id: '7.2',
    section: ERRORS,
    states:
      '`MSG-G-12` when the request carries a developer header while a provider is configured. Status: not shown.',
    answer:
      '400: 401 would make clients refresh tokens, and 403 would read as a missing permission.',
  },
  {
    id: '7.3',
    section: ERRORS,
    states: 'Shape of the error body: not shown.',
    answer:
      '`application/problem+json` (RFC 9457) on every path, the framework’s own failures included. See [errors](reference/errors.md).',
  },
  {
    id: '7.4',
    section: ERRORS,
    states: 'Errors for missing, expired or invalid tokens: not shown.',
    answer:
      '401 `UNAUTHENTICATED`, `TOKEN_EXPIRED`, `TOKEN_INVALID`, each with `WWW-Authenticate`.',
  },
  {
    id: '7.5',
    section: ERRORS,
    states: 'Errors for missing permissions and unknown contracts: not shown.',
    answer:
      '403 `PERMISSION_MISSING` with `requiredPermission`; 404 `NOT_FOUND`, the same for an unknown and for a foreign id.',
  },
  {
    id: '8.1',
    section: LIMITS,
    states: 'Rate limits, token lifetimes, size limits, pagination limits: not shown.',
    answer:
      'Body 256 KiB, 100 header lines, 16 KiB header block, token 8 KiB, JSON depth 32; pages 1 to 200; 500 reads and 50 writes a second and subject by default; access tokens of at most a day.',
  },
  {
    id: '9.1',
    section: VERSIONING,
    states: 'The API paths carry the prefix `/api/v1`.',
    answer: 'Every operation of both surfaces.',
  },
  {
    id: '9.2',
    section: VERSIONING,
    states: 'Version policy, deprecation, compatibility: not shown.',
    answer:
      '`/api/v1` only grows. A route that will go away carries `Deprecation` and `Sunset` for at least 12 months.',
  },
]
