import { defineErrors } from '../base/errors.ts'

export const accessErrors = defineErrors({
  'MSG-G-12': {
    status: 400,
    title: 'Developer headers are not accepted here.',
    when: 'The request carries a developer header (x-dev-…) while an identity provider is configured.',
  },
  AUTHORIZATION_MALFORMED: {
    status: 400,
    title: 'The Authorization header is malformed.',
    when: 'Two Authorization lines, more than one token after the scheme, or a token in the query beside the header.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Credentials are needed.',
    when: 'The request carries no credentials, or a scheme other than Bearer.',
  },
  TOKEN_INVALID: {
    status: 401,
    title: 'The access token is not valid.',
    when: 'The token is malformed, too large, signed by an unknown key, meant for another audience or not an access token.',
  },
  TOKEN_EXPIRED: {
    status: 401,
    title: 'The access token has expired.',
    when: 'The token is genuine but its life is over; get a new one.',
  },
  PERMISSION_MISSING: {
    status: 403,
    title: 'A permission is missing.',
    when: 'The caller does not hold the permission that the operation needs; `requiredPermission` names it.',
  },
  PARTY_REQUIRED: {
    status: 403,
    title: 'The caller is not linked to a party.',
    when: 'The customer surface was called by someone without a party.',
  },
  PARTNER_REQUIRED: {
    status: 403,
    title: 'The caller is not linked to a partner.',
    when: 'Partner staff called without a partnerId.',
  },
  HUMAN_APPROVER_REQUIRED: {
    status: 403,
    title: 'Only a person can decide.',
    when: 'A service account, or a caller without a user name, tries to decide a four-eyes item.',
  },
  IMPERSONATION_READ_ONLY: {
    status: 403,
    title: 'An impersonated session can only read.',
    when: 'A command was sent from a session in which one user acts as another.',
  },
  FOUR_EYES_SAME_USER: {
    status: 409,
    title: 'A different user must decide.',
    when: 'A preparer of an item approves, rejects, returns or activates it on a four-eyes operation.',
  },
  DEVELOPER_MODE_LOCAL_ONLY: {
    status: 421,
    title: 'Developer mode answers on this machine only.',
    when: 'In developer mode a request came with a Host that is not loopback, or through a proxy.',
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    title: 'The identity provider cannot be reached.',
    when: 'The token names a key that is not known yet and the keys cannot be fetched.',
  },
})
