import { itemsOf, type Kind, type Refuse } from './kind.ts'

const HTTP_URL = /^https?:\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/
const AUTHORITY = /^(\[[\da-fA-F:.]+\]|[\w.-]+)(?::([1-9]\d{0,4}))?$/
const DISCOVERY_PATH = '/.well-known/openid-configuration'

interface HttpUrl {
  readonly url: URL
  readonly path: string
  readonly query: boolean
}

/**
 * An absolute URL whose text says what it means: parsers repair much (`http:\\x`, `127.1`, `/a/../b`),
 * and the issuer is compared character by character.
 */
function requireHttpUrl(text: string, refuse: Refuse): HttpUrl {
  if (!/^[!-~]+$/.test(text)) refuse('has a blank or a character that is not ASCII')
  const [, authority, path = '', query, fragment] = HTTP_URL.exec(text) ?? []
  if (authority === undefined) return refuse('is not an absolute http or https URL')
  if (authority.includes('@')) refuse('carries credentials')
  if (fragment !== undefined) refuse('carries a fragment')
  const host = AUTHORITY.exec(authority)?.[1]
  if (host === undefined || !URL.canParse(text)) refuse('has no proper host and port')
  const url = new URL(text)
  if (url.hostname !== host.toLowerCase()) refuse('has a host in an odd spelling')
  if (path !== '' && (url.pathname !== path || path.includes('//'))) {
    refuse('has a path in an odd spelling')
  }
  return { url, path, query: query !== undefined }
}

export const issuerUrl: Kind<string> = {
  allowed:
    'an absolute https URL (http on loopback) such as `https://auth.example.org/realms/tfs`, without query, fragment and credentials',
  parse(text, refuse) {
    const { path, query } = requireHttpUrl(text, refuse)
    if (query) refuse('carries a query')
    if (path.endsWith(DISCOVERY_PATH)) refuse('is the address of discovery, not the issuer')
    return text
  },
}

export const discoveryUrl: Kind<string> = {
  allowed:
    'the absolute https URL (http on loopback) of the discovery document, without fragment and credentials',
  parse(text, refuse) {
    requireHttpUrl(text, refuse)
    return text
  },
}

/** OpenID Connect Discovery 1.0, section 4: one slash between issuer and the well-known path. */
export function discoveryUrlOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}${DISCOVERY_PATH}`
}

export const publicUrl: Kind<string> = {
  allowed: 'scheme, host and port such as `https://tfs.example.org`, without a path',
  parse(text, refuse) {
    const { url, path, query } = requireHttpUrl(text, refuse)
    if (query || (path !== '' && path !== '/')) refuse('carries a path or a query')
    return url.origin
  },
}

export function origins(most: number): Kind<readonly string[]> {
  return {
    allowed: `up to ${most} origins separated by commas, each scheme, host and port as browsers send them such as \`https://app.example.org\`; no \`*\``,
    parse(text, refuse) {
      const items = itemsOf(text, refuse)
      if (items.length > most) refuse('has too many items')
      if (items.includes('*')) refuse('has a `*`: each origin must be named')
      for (const item of items) {
        const faulty: Refuse = (fault) => refuse(`has an item that ${fault}`)
        const { url } = requireHttpUrl(item, faulty)
        if (url.origin !== item) faulty('is not scheme, host and port alone, as browsers send them')
      }
      return items
    },
  }
}
