import { accessErrors } from './errors.ts'

const CHALLENGE = { 'www-authenticate': 'Bearer realm="tfs"' }
const QUERY_TOKEN = /[?&]access_token=/i

/** The bearer token of a request. `lines` counts the raw header lines: Node drops all but the first. */
export function bearerTokenOf(
  authorization: string | undefined,
  lines: number,
  url: string,
): string {
  if (lines > 1) {
    throw accessErrors.AUTHORIZATION_MALFORMED(
      'Authorization was sent more than once; send it once.',
    )
  }
  if (authorization === undefined || authorization.trim() === '') {
    throw accessErrors.UNAUTHENTICATED(
      'Send an access token: Authorization: Bearer <ACCESS_TOKEN>.',
      {},
      CHALLENGE,
    )
  }
  if (QUERY_TOKEN.test(url)) {
    throw accessErrors.AUTHORIZATION_MALFORMED(
      'A token stands in the query beside the Authorization header; send it in the header alone.',
    )
  }
  const [scheme = '', token, ...rest] = authorization.split(' ')
  if (scheme.toLowerCase() !== 'bearer' || token === undefined || token === '') {
    throw accessErrors.UNAUTHENTICATED(
      'Only bearer tokens are accepted: Authorization: Bearer <ACCESS_TOKEN>.',
      {},
      CHALLENGE,
    )
  }
  if (rest.length > 0) {
    throw accessErrors.AUTHORIZATION_MALFORMED('One token follows the scheme, nothing else.')
  }
  return token
}
