import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { SigningKeys } from '../keys/signing-keys.ts'
import { type AccountsView, profileOf } from '../provider/accounts-view.ts'
import { activeTokenOf } from './active-token.ts'
import { sendJson } from './send.ts'

const BEARER = /^Bearer ([\w.-]+)$/i

/** oidc-provider's own refuses tokens with an audience, and ours all have one. */
export function userinfoAnswer(accounts: AccountsView, keys: () => SigningKeys) {
  return async (
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const [, token = ''] = BEARER.exec(request.headers.authorization ?? '') ?? []
    const active = await activeTokenOf({ provider, accounts, keys: keys() }, token)
    if (active?.account !== undefined) return sendJson(response, 200, profileOf(active.account))
    const description = 'Token verification failed'
    const challenge = `error="invalid_token", error_description="${description}"`
    response.setHeader(
      'www-authenticate',
      token === '' ? 'Bearer realm="tfs"' : `Bearer realm="tfs", ${challenge}`,
    )
    sendJson(response, 401, { error: 'invalid_token', error_description: description })
  }
}
