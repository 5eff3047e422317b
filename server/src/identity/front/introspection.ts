import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { isSecret } from '../accounts/client-secret.ts'
import type { SigningKeys } from '../keys/signing-keys.ts'
import type { AccountsView } from '../provider/accounts-view.ts'
import { activeTokenOf } from './active-token.ts'
import { formFields } from './form-body.ts'
import { sendJson } from './send.ts'

const BASIC = /^Basic ([A-Za-z0-9+/]+={0,2})$/i

/**
 * RFC 7662 for our JWTs, which oidc-provider's own refuses. Confidential clients only, as in
 * Keycloak.
 */
export function introspectionAnswer(accounts: AccountsView, keys: () => SigningKeys) {
  return async (
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const fields = request.method === 'POST' ? await formFields(request) : undefined
    if (!(await isConfidentialClient(accounts, request, fields))) {
      response.setHeader('www-authenticate', 'Basic realm="tfs"')
      return sendJson(response, 401, {
        error: 'invalid_client',
        error_description: 'Invalid client or Invalid client credentials',
      })
    }
    const realm = { provider, accounts, keys: keys() }
    const active = await activeTokenOf(realm, fields?.get('token') ?? '')
    if (active === undefined) return sendJson(response, 200, { active: false })
    const { claims } = active
    sendJson(response, 200, {
      ...claims,
      active: true,
      client_id: claims['azp'],
      username: claims['preferred_username'],
      token_type: 'Bearer',
    })
  }
}

async function isConfidentialClient(
  accounts: AccountsView,
  request: IncomingMessage,
  fields: ReadonlyMap<string, string> | undefined,
): Promise<boolean> {
  const [id, secret] = basicOf(request) ?? [fields?.get('client_id'), fields?.get('client_secret')]
  if (id === undefined || secret === undefined) return false
  const client = await accounts.activeClient(id)
  return client !== undefined && isSecret(secret, client.secretSha256)
}

function basicOf(request: IncomingMessage): [string, string] | undefined {
  const [, encoded] = BASIC.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : [text.slice(0, colon), text.slice(colon + 1)]
}
