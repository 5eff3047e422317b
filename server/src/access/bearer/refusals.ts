import { type ErrorKind, Problem } from '../../base/errors.ts'
import { accessErrors } from '../errors.ts'

const INVALID = {
  TOO_LARGE: 'The access token is longer than 8 KiB. Get one with fewer roles or claims.',
  SHAPE:
    'The credentials are not a compact JWS of three base64url parts. Send the access_token of the token endpoint exactly as received.',
  HEADER: 'The header of the access token is not a JSON object. Get a new access token.',
  HEADER_MEMBER:
    'The header of the access token has a member that names keys or changes its meaning. Get an ordinary signed access token.',
  HEADER_TYPE:
    'The header of the access token names another type than JWT or at+jwt. Send the access token, no other token.',
  ALGORITHM:
    'The access token is signed with an algorithm that is not accepted here. Let the identity provider sign access tokens with RS256.',
  KEY_ID:
    'The header of the access token names no key. Let the identity provider put a kid into the header.',
  KEY_UNKNOWN:
    'The access token is signed with a key that the identity provider does not publish. Get a new access token.',
  SIGNATURE: 'The signature of the access token does not fit. Get a new access token.',
  PAYLOAD: 'The access token does not contain a JSON object of claims. Get a new access token.',
  ISSUER:
    'The access token comes from another issuer. Get one from the identity provider of this deployment.',
  KIND: 'This is an ID token, a refresh token or a logout token. Send the access token.',
  BOUND:
    'The access token is bound to a key or certificate of its client, which is not supported here. Get a plain bearer token.',
  AUDIENCE:
    'The access token is not meant for this API. Get one whose aud claim contains the audience of this API.',
  CLIENT:
    'The access token was obtained by a client that is not accepted here. Use a listed client.',
  CLIENT_MALFORMED: 'The azp claim of the access token is malformed. It must be a client id.',
  TIMES:
    'The access token needs exp and iat, and nbf where present, as finite numbers, and exp after iat. Get a new access token.',
  NOT_YET:
    'The access token is not valid yet. Compare the clocks of the identity provider and of this API.',
  LIFE: 'The access token lives longer than allowed here. Shorten the life of access tokens at the identity provider.',
  SUBJECT_MISSING:
    'The access token has no sub claim. In Keycloak, give the client the client scope `basic`, then get a new access token.',
  SUBJECT:
    'The sub claim of the access token is malformed. It must be 1 to 255 characters of text.',
  USERNAME:
    'The preferred_username claim of the access token is malformed. It must be up to 255 characters without control characters.',
  PERSON:
    'The claim set by OIDC_PERSON_CLAIM is malformed in the access token. It must be a text of 1 to 255 characters or a number.',
  UNVERIFIABLE: 'The access token cannot be checked. Get a new access token.',
} as const

const EXPIRED = 'The access token has expired. Get a new one from the identity provider.'

const MALFORMED_LINK = {
  PARTY_CLAIM:
    'The partyId claim is malformed: it must be one string of 1 to 64 characters. Let the administrator of the identity provider correct it.',
  PARTNER_CLAIM:
    'The partnerId claim is malformed: it must be one string of 1 to 64 characters. Let the administrator of the identity provider correct it.',
} as const

const UNAVAILABLE = {
  PROVIDER_AWAY:
    'The signing keys of the identity provider cannot be fetched at the moment. Try again later.',
  WRONG_ISSUER:
    'The identity provider names another issuer than the configured one. Let the operator compare OIDC_ISSUER with the discovery document.',
} as const

export type InvalidReason = keyof typeof INVALID
export type UnavailableReason = keyof typeof UNAVAILABLE
export type RefusalReason =
  | InvalidReason
  | UnavailableReason
  | keyof typeof MALFORMED_LINK
  | 'EXPIRED'

/** A refusal of the identity path. Its texts are fixed, so no token and no claim can be in them. */
export class TokenRefusal extends Problem {
  readonly reason: RefusalReason

  constructor(kind: ErrorKind, reason: RefusalReason, text: string, headers = {}) {
    super(kind, text, {}, headers)
    this.reason = reason
  }
}

export function tokenInvalid(reason: InvalidReason): TokenRefusal {
  const text = INVALID[reason]
  return new TokenRefusal(accessErrors.TOKEN_INVALID, reason, text, challengeOf(text))
}

export function tokenExpired(): TokenRefusal {
  return new TokenRefusal(accessErrors.TOKEN_EXPIRED, 'EXPIRED', EXPIRED, challengeOf(EXPIRED))
}

/** Platform contract, section 2: refused, never read as absent. */
export function partyMalformed(): TokenRefusal {
  return new TokenRefusal(accessErrors.PARTY_REQUIRED, 'PARTY_CLAIM', MALFORMED_LINK.PARTY_CLAIM)
}

export function partnerMalformed(): TokenRefusal {
  return new TokenRefusal(
    accessErrors.PARTNER_REQUIRED,
    'PARTNER_CLAIM',
    MALFORMED_LINK.PARTNER_CLAIM,
  )
}

export function providerUnavailable(
  reason: UnavailableReason,
  retryAfterSeconds: number,
): TokenRefusal {
  const kind = accessErrors.IDENTITY_PROVIDER_UNAVAILABLE
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }
  return new TokenRefusal(kind, reason, UNAVAILABLE[reason], headers)
}

/** RFC 6750, section 3. */
function challengeOf(text: string): Record<string, string> {
  return {
    'www-authenticate': `Bearer realm="tfs", error="invalid_token", error_description="${text}"`,
  }
}
