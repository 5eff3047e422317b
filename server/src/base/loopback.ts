import { BlockList, isIPv4, isIPv6 } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const HOST_AND_PORT = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/
const HIGHEST_PORT = 65_535

/**
 * Whether a host names this machine and nothing else. Spellings that resolvers read differently
 * (`127.1`, `0x7f000001`, a zone id, names below `localhost`) are no loopback: doubt refuses.
 */
export function isLoopbackHost(text: string): boolean {
  const bracketed = text.startsWith('[') && text.endsWith(']')
  const host = bracketed ? text.slice(1, -1) : text
  if (isIPv6(host)) return !host.includes('%') && LOOPBACK.check(host, 'ipv6')
  if (bracketed) return false
  if (isIPv4(host)) return LOOPBACK.check(host, 'ipv4')
  const name = host.toLowerCase()
  return name === 'localhost' || name === 'localhost.'
}

/** The same for the value of a `Host` header: `host[:port]`, IPv6 in brackets only. */
export function isLoopbackHostHeader(value: string | undefined): boolean {
  const [, host, port] = HOST_AND_PORT.exec(value ?? '') ?? []
  if (host === undefined || Number(port ?? 0) > HIGHEST_PORT) return false
  return isLoopbackHost(host)
}
