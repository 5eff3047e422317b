import { errors, type ResourceServer } from 'oidc-provider'
import { ACCESS_TOKEN_SECONDS } from '../lifetimes.ts'
import { API_RESOURCE, AUDIENCE } from '../realm.ts'
import { ALL_SCOPES } from './grants.ts'

const API: ResourceServer = {
  scope: ALL_SCOPES,
  audience: AUDIENCE,
  accessTokenFormat: 'jwt',
  accessTokenTTL: ACCESS_TOKEN_SECONDS,
  jwt: { sign: { alg: 'RS256' } },
}

/** There is one API; whoever asks for another one gets no token. */
export function requireApi(resource: string): ResourceServer {
  if (resource !== API_RESOURCE) throw new errors.InvalidTarget()
  return API
}
