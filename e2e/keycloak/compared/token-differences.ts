import type { ExpectedDifference } from './expected-differences.ts'

export const tokenDifferences: readonly ExpectedDifference[] = [
  {
    pointers: ['/access-tokens/*/header/typ'],
    embedded: 'at+jwt',
    reason: 'The type of RFC 9068, which no ID token has. The API takes both.',
  },
  {
    pointers: ['/access-tokens/*/claims/scope'],
    reason: 'Permissions stand in `realm_access.roles` and nowhere else (spec 5.5.2).',
  },
  {
    pointers: [
      '/access-tokens/passwordGrant/claims/auth_time',
      '/access-tokens/refreshed/claims/auth_time',
    ],
    embedded: 1_800_000_000,
    reason:
      'When the password was typed is known here for every grant; Keycloak tells it for browser logins only.',
  },
  {
    pointers: ['/access-tokens/impersonated', '/token-answers/impersonated'],
    reason: 'There is no impersonation here: nobody can act in another one’s name.',
  },
  {
    pointers: ['/token-answers/*/contentType', '/token-errors/*/contentType'],
    embedded: 'application/json; charset=utf-8',
    reason: 'JSON is UTF-8 either way (RFC 8259).',
  },
  {
    pointers: ['/token-answers/passwordGrant/body/scope', '/token-answers/refreshed/body/scope'],
    embedded: 'profile email',
    reason:
      'A request without a scope gets the default ones, and they are named; in our realm files no scope is a default.',
  },
  {
    pointers: ['/token-answers/codeFlow/body/scope', '/token-answers/deviceFlow/body/scope'],
    embedded: 'profile',
    reason: 'Likewise.',
  },
  {
    pointers: [
      '/token-answers/clientCredentials/body/not-before-policy',
      '/token-answers/clientCredentials/body/refresh_expires_in',
      '/token-answers/clientCredentials/body/scope',
    ],
    reason: 'There is no session and no refresh token, so nothing is said about them.',
  },
]
