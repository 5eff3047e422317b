import { isIPv4, isIPv6 } from 'node:net'
import { isLoopbackHost } from '../base/loopback.ts'
import type { Kind, Refuse } from './kind.ts'

export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/**
 * A database address, taken apart here once: drivers read the same URL differently (several hosts,
 * IPv6, `host` in the query), so connect by these members. What was checked is what is reached.
 */
export interface DatabaseAddress {
  /** As configured, password included: never log it. */
  readonly url: string
  readonly hosts: readonly DatabaseHost[]
  /** Directory of a unix socket; then `hosts` is empty. */
  readonly socketDir: string | undefined
  readonly socketPort: number
  readonly user: string
  readonly password: string | undefined
  readonly database: string
  readonly parameters: Readonly<Record<string, string>>
  /** `user@host:port/database`, for logs. */
  readonly label: string
}

const POSTGRES_PORT = 5432
const HIGHEST_PORT = 65_535
const LONGEST_NAME = 63
const MOST_HOSTS = 8
const DATABASE_URL =
  /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^:@/?#]*))?@)?([^@/?#]*)(?:\/([^/?#@]*))?(?:\?([^#]*))?$/
const HOST_AND_PORT = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/
const HOST_NAME = /^(?=.*[A-Za-z])\w(?:[\w.-]*\w)?\.?$/
const BAD_CHARACTER = /\p{Cc}/u

/** Others could change role, search path or row security behind our back. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  application_name: /^[\w .:-]{1,63}$/,
  connect_timeout: /^[1-9]\d{0,2}$/,
  host: /^\/./,
  sslmode: /^(?:disable|prefer|require|verify-full)$/,
  target_session_attrs: /^(?:read-write|read-only|primary|standby|prefer-standby)$/,
}

export const databaseParameters: readonly string[] = Object.keys(PARAMETERS)

export const databaseUrl: Kind<DatabaseAddress> = {
  allowed: '`postgres://user:password@host:port/database`, special characters percent-encoded',
  parse(text, refuse) {
    if (/[^!-~]/.test(text)) refuse('has a blank or a character that is not percent-encoded')
    if (!/^postgres(?:ql)?:\/\//.test(text)) refuse('does not begin with postgres://')
    const [whole, user, password, authority = '', name, query = ''] = DATABASE_URL.exec(text) ?? []
    if (whole === undefined) refuse('cannot be read as a URL of PostgreSQL')
    const { host: socketInQuery, ...parameters } = parametersOf(query, refuse)
    const names = {
      user: nameOf(user, 'user', refuse),
      password: password === undefined ? undefined : decoded(password, refuse),
      database: nameOf(name, 'database', refuse),
    }
    const where = placeOf(authority, socketInQuery, refuse)
    return { url: text, ...where, ...names, parameters, label: labelOf(where, names) }
  },
}

export function isLoopbackDatabase(address: DatabaseAddress): boolean {
  return address.hosts.every(({ host }) => isLoopbackHost(host))
}

type Place = Pick<DatabaseAddress, 'hosts' | 'socketDir' | 'socketPort'>

function placeOf(authority: string, socketInQuery: string | undefined, refuse: Refuse): Place {
  const [, socketInHost, socketPort] = /^(%2f[^,:]*)(?::(\d{1,5}))?$/i.exec(authority) ?? []
  if (socketInHost !== undefined) {
    if (socketInQuery !== undefined) refuse('names two hosts, one of them in its parameters')
    const port = portOf(socketPort, refuse)
    return { hosts: [], socketDir: decoded(socketInHost, refuse), socketPort: port }
  }
  if (socketInQuery !== undefined) {
    if (authority !== '') refuse('names two hosts, one of them in its parameters')
    return { hosts: [], socketDir: socketInQuery, socketPort: POSTGRES_PORT }
  }
  if (authority === '') refuse('names no host')
  const items = authority.split(',')
  if (items.length > MOST_HOSTS) refuse('names too many hosts')
  const hosts = items.map((item) => databaseHostOf(item, refuse))
  return { hosts, socketDir: undefined, socketPort: POSTGRES_PORT }
}

function databaseHostOf(item: string, refuse: Refuse): DatabaseHost {
  const [, bracketed, plain, port] = HOST_AND_PORT.exec(item) ?? []
  const host = bracketed ?? plain
  if (host === undefined) return refuse('has no proper host and port')
  const proper = bracketed ? isIPv6(bracketed) : isIPv4(host) || HOST_NAME.test(host)
  if (!proper) refuse('names a host that is neither an address nor a host name')
  return { host, port: portOf(port, refuse) }
}

function portOf(text: string | undefined, refuse: Refuse): number {
  const port = Number(text ?? POSTGRES_PORT)
  return port >= 1 && port <= HIGHEST_PORT ? port : refuse('has a port out of range')
}

function parametersOf(query: string, refuse: Refuse): Record<string, string> {
  const parameters: Record<string, string> = {}
  for (const pair of query.split('&').filter((one) => one !== '')) {
    const [name = '', value = '', ...rest] = pair.split('=')
    const pattern = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined
    if (pattern === undefined) {
      return refuse(`has a parameter other than ${databaseParameters.join(', ')}`)
    }
    if (Object.hasOwn(parameters, name)) refuse(`gives its parameter ${name} twice`)
    const text = decoded(value, refuse)
    if (rest.length > 0 || !pattern.test(text)) refuse(`has a bad value for its parameter ${name}`)
    parameters[name] = text
  }
  return parameters
}

function nameOf(text: string | undefined, what: string, refuse: Refuse): string {
  const name = decoded(text ?? '', refuse)
  if (name === '') refuse(`names no ${what}`)
  // PostgreSQL cuts longer names off silently.
  if (Buffer.byteLength(name) > LONGEST_NAME) refuse(`names a ${what} that is too long`)
  return name
}

function decoded(text: string, refuse: Refuse): string {
  try {
    const plain = decodeURIComponent(text)
    return BAD_CHARACTER.test(plain) ? refuse('has a control character') : plain
  } catch (error) {
    if (error instanceof URIError) return refuse('has a faulty percent-encoding')
    throw error
  }
}

function labelOf(place: Place, names: { user: string; database: string }): string {
  const hosts = place.hosts.map(({ host, port }) =>
    host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
  )
  return `${names.user}@${place.socketDir ?? hosts.join(',')}/${names.database}`
}
