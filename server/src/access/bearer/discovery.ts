import { isLoopbackHost } from '../../base/loopback.ts'
import { memberOf } from './json-object.ts'
import { fetchDocument } from './provider-document.ts'
import { ProviderFault } from './provider-fault.ts'

const DISCOVERY_PATH = '/.well-known/openid-configuration'
const LONGEST_SHOWN_ISSUER = 200

export interface DiscoveryOptions {
  readonly issuer: string
  readonly discoveryUrl?: string | undefined
  readonly allowHttp?: boolean | undefined
}

/** OpenID Connect Discovery 1.0, section 4: a trailing slash of the issuer is not doubled. */
export function discoveryUrlOf(options: DiscoveryOptions): URL {
  return new URL(options.discoveryUrl ?? options.issuer.replace(/\/$/, '') + DISCOVERY_PATH)
}

/** Where the configured issuer publishes its keys. The address comes from nowhere else. */
export async function discoverKeysUrl(
  options: DiscoveryOptions,
  signal: AbortSignal,
): Promise<URL> {
  const discoveryUrl = discoveryUrlOf(options)
  const document = await fetchDocument(discoveryUrl, signal)
  const issuer = memberOf(document, 'issuer')
  if (typeof issuer !== 'string') {
    throw new ProviderFault('GARBAGE', `${discoveryUrl.href} names no issuer.`)
  }
  if (issuer !== options.issuer) {
    const shown = JSON.stringify(issuer.slice(0, LONGEST_SHOWN_ISSUER))
    throw new ProviderFault('WRONG_ISSUER', `${discoveryUrl.href} names the issuer ${shown}.`)
  }
  const address = memberOf(document, 'jwks_uri')
  if (typeof address !== 'string' || !URL.canParse(address)) {
    throw new ProviderFault('GARBAGE', `${discoveryUrl.href} names no usable jwks_uri.`)
  }
  const keysUrl = new URL(address)
  if (!isTrusted(keysUrl, discoveryUrl, options.allowHttp === true)) {
    throw new ProviderFault('GARBAGE', `${discoveryUrl.href} names a jwks_uri that is not https.`)
  }
  return keysUrl
}

/** Plain http only on this machine, where the operator already reaches discovery by it, or allowed. */
function isTrusted(keysUrl: URL, discoveryUrl: URL, allowHttp: boolean): boolean {
  if (keysUrl.protocol === 'https:') return true
  if (keysUrl.protocol !== 'http:') return false
  const sameWay = discoveryUrl.protocol === 'http:' && discoveryUrl.host === keysUrl.host
  return allowHttp || sameWay || isLoopbackHost(keysUrl.hostname)
}
