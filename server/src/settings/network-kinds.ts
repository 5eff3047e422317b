import { isIP, isIPv4, isIPv6 } from 'node:net'
import { itemsOf, type Kind, type Refuse } from './kind.ts'
import { quoted } from './settings-error.ts'

/** Both families, so that `localhost` works whichever of them a client tries first. */
export const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1']

const LONGEST_HOST_NAME = 253
/** The last label starts with a letter: `127.1` and `1234` are addresses in odd spelling. */
const HOST_NAME = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?\.?$/i

const MOST_HOPS = 10
const IPV4_BITS = 32
const IPV6_BITS = 128

/** Addresses to listen on. */
export const listenHost: Kind<readonly string[]> = {
  allowed:
    'an IP address or a host name, without port; `localhost` means both loopback addresses, `0.0.0.0` or `::` every address',
  parse(text, refuse) {
    const bracketed = /^\[(.*)\]$/.exec(text)?.[1]
    if (bracketed !== undefined && isIPv6(bracketed)) return [bracketed]
    if (isIP(text) !== 0) return [text]
    const name = text.toLowerCase()
    if (name === 'localhost' || name === 'localhost.') return LOOPBACK_HOSTS
    if (text.length > LONGEST_HOST_NAME || !HOST_NAME.test(text)) {
      return refuse(`is neither an address nor a host name${quoted(text)}`)
    }
    return [text]
  },
}

/** Whose `X-Forwarded-*` lines are believed, in the form that Fastify takes. */
export type TrustProxy = false | number | readonly string[]

export const trustProxy: Kind<TrustProxy> = {
  allowed: `\`none\`, a number of hops from 1 to ${MOST_HOPS}, or addresses and CIDR ranges separated by commas`,
  parse(text, refuse) {
    if (text === 'none') return false
    if (/^\d+$/.test(text)) {
      const hops = Number(text)
      return hops >= 1 && hops <= MOST_HOPS ? hops : refuse('is a number of hops out of range')
    }
    const items = itemsOf(text, refuse)
    for (const item of items) requireAddressRange(item, refuse)
    return items
  },
}

function requireAddressRange(item: string, refuse: Refuse): void {
  const [address = '', bits, ...rest] = item.split('/')
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) {
    refuse(`has an item that is no address and no CIDR range${quoted(item)}`)
  }
  if (bits === undefined) return
  const most = isIPv4(address) ? IPV4_BITS : IPV6_BITS
  // A range of everybody would let every caller forge its address.
  if (!/^[1-9]\d*$/.test(bits) || Number(bits) > most) {
    refuse(`has a range with a prefix outside 1 to ${most}${quoted(item)}`)
  }
}
