import { newPkce, type Pkce } from './code-flow.ts'
import { endpointOf, type Issuer, type TokenAnswer, tokenAnswer } from './tokens.ts'

export interface Device {
  readonly deviceCode: string
  readonly approvalUrl: string
  readonly intervalSeconds: number
  readonly pkce: Pkce
}

interface DeviceBody {
  readonly device_code?: string
  readonly verification_uri_complete?: string
  readonly interval?: number
}

/** Keycloak asks a client that must use PKCE for it here too, though RFC 8628 does not know it. */
export async function startDeviceFlow(provider: Issuer, clientId = 'tfs-cli'): Promise<Device> {
  const pkce = newPkce()
  const answer = await fetch(endpointOf(provider, 'auth/device'), {
    method: 'POST',
    body: new URLSearchParams({
      client_id: clientId,
      code_challenge: pkce.challenge,
      code_challenge_method: 'S256',
    }),
  })
  const body = (await answer.json()) as DeviceBody
  const { device_code: deviceCode, verification_uri_complete: approvalUrl } = body
  if (deviceCode === undefined || approvalUrl === undefined) {
    throw new Error(`No device code: ${answer.status} ${JSON.stringify(body)}`)
  }
  return { deviceCode, approvalUrl, pkce, intervalSeconds: body.interval ?? 0 }
}

/** One poll. Two within the interval are answered `slow_down`. */
export async function deviceTokens(
  provider: Issuer,
  { deviceCode, pkce }: Device,
  clientId = 'tfs-cli',
): Promise<TokenAnswer> {
  return await tokenAnswer(provider, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: clientId,
    device_code: deviceCode,
    code_verifier: pkce.verifier,
  })
}
