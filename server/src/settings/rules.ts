import type { Mode } from '../access/caller.ts'
import { isLoopbackHost } from '../base/loopback.ts'
import { isLoopbackDatabase } from './database-url.ts'
import { SettingsError } from './settings-error.ts'
import type { SettingName, Values } from './table.ts'

export type Command = 'start' | 'serve' | 'migrate' | 'seed' | 'identity'

/** A start as the settings describe it, before it is allowed. */
export interface Situation {
  readonly command: Command
  readonly mode: Mode
  /** Whether developer mode was asked for on the command line. */
  readonly developer: boolean
  readonly embeddedProvider: boolean
  readonly values: Values
}

export interface Rule {
  /** Completes "The start stops when …" in the reference. */
  readonly when: string
  readonly setting: SettingName
  readonly fault: string
  readonly allowed: string
  readonly broken: (situation: Situation) => boolean
}

const PROVIDER_OR_LOOPBACK = 'loopback, or any address together with OIDC_ISSUER'
const HTTPS_OR_LOOPBACK = 'https, http on loopback, or OIDC_ALLOW_HTTP=true'

/** Platform contract, section 1, "Fail safe": what settings alone decide. */
export const rules: readonly Rule[] = [
  {
    when: 'developer mode is asked for while `OIDC_ISSUER` is set',
    setting: 'OIDC_ISSUER',
    fault: 'is set, and developer mode exists only without a provider',
    allowed: 'unset OIDC_ISSUER, or start without developer mode',
    broken: ({ developer, values }) => developer && values.OIDC_ISSUER !== undefined,
  },
  {
    when: '`OIDC_ISSUER` is plain http off loopback without `OIDC_ALLOW_HTTP`',
    setting: 'OIDC_ISSUER',
    fault: 'is plain http and not on loopback',
    allowed: HTTPS_OR_LOOPBACK,
    broken: ({ values }) => isExposedHttp(values.OIDC_ISSUER, values),
  },
  {
    when: '`OIDC_DISCOVERY_URL` is plain http off loopback without `OIDC_ALLOW_HTTP`: it brings the keys',
    setting: 'OIDC_DISCOVERY_URL',
    fault: 'is plain http and not on loopback',
    allowed: HTTPS_OR_LOOPBACK,
    broken: ({ values }) => isExposedHttp(values.OIDC_DISCOVERY_URL, values),
  },
  {
    when: '`OIDC_DISCOVERY_URL` is set without `OIDC_ISSUER`',
    setting: 'OIDC_DISCOVERY_URL',
    fault: 'is set without OIDC_ISSUER',
    allowed: 'both, or none of them',
    broken: ({ values }) =>
      values.OIDC_DISCOVERY_URL !== undefined && values.OIDC_ISSUER === undefined,
  },
  {
    when: '`HOST` is not loopback and there is no `OIDC_ISSUER`',
    setting: 'HOST',
    fault: 'is not loopback while no OIDC_ISSUER is set',
    allowed: PROVIDER_OR_LOOPBACK,
    broken: (start) => listensWithoutProvider(start) && !start.values.HOST.every(isLoopbackHost),
  },
  {
    when: '`NODE_ENV` is `production` and there is no `OIDC_ISSUER`',
    setting: 'NODE_ENV',
    fault: 'is production while no OIDC_ISSUER is set',
    allowed: 'production together with OIDC_ISSUER',
    broken: (start) =>
      listensWithoutProvider(start) && start.values.NODE_ENV?.trim().toLowerCase() === 'production',
  },
  ...(['DATABASE_URL', 'DATABASE_READ_URL'] as const).map(
    (setting): Rule => ({
      when: `\`${setting}\` points off loopback and there is no \`OIDC_ISSUER\``,
      setting,
      fault: 'points off loopback while no OIDC_ISSUER is set',
      allowed: PROVIDER_OR_LOOPBACK,
      broken: (start) => {
        const address = start.values[setting]
        return (
          listensWithoutProvider(start) && address !== undefined && !isLoopbackDatabase(address)
        )
      },
    }),
  ),
  {
    when: '`TFS_PUBLIC_URL` is not loopback and there is no `OIDC_ISSUER`',
    setting: 'TFS_PUBLIC_URL',
    fault: 'is not loopback while no OIDC_ISSUER is set',
    allowed: PROVIDER_OR_LOOPBACK,
    broken: (start) => {
      const url = start.values.TFS_PUBLIC_URL
      return (
        listensWithoutProvider(start) && url !== undefined && !isLoopbackHost(new URL(url).hostname)
      )
    },
  },
  ...(['DATABASE_ADMIN_URL', 'DATABASE_READ_URL'] as const).map(
    (setting): Rule => ({
      when: `\`${setting}\` is set without \`DATABASE_URL\``,
      setting,
      fault: 'is set without DATABASE_URL',
      allowed: 'both, or none of them',
      broken: ({ values }) => values[setting] !== undefined && values.DATABASE_URL === undefined,
    }),
  ),
  {
    when: '`PORT` is `METRICS_PORT`',
    setting: 'PORT',
    fault: 'is the same as METRICS_PORT',
    allowed: 'a port of its own',
    broken: ({ command, values: { PORT, METRICS_PORT } }) =>
      listens(command) && PORT !== 0 && PORT === METRICS_PORT,
  },
  {
    when: 'the embedded provider runs and `AUTH_PORT` is `PORT` or `METRICS_PORT`',
    setting: 'AUTH_PORT',
    fault: 'is the same as PORT or METRICS_PORT',
    allowed: 'a port of its own',
    broken: ({ command, embeddedProvider, values: { AUTH_PORT, PORT, METRICS_PORT } }) =>
      listens(command) && embeddedProvider && [PORT, METRICS_PORT].includes(AUTH_PORT),
  },
]

export function requireRules(situation: Situation): void {
  for (const { setting, fault, allowed, broken } of rules) {
    if (broken(situation)) throw new SettingsError(setting, fault, allowed)
  }
}

function listens(command: Command): boolean {
  return command === 'start' || command === 'serve'
}

/** The embedded provider counts as none here: its demo users must stay on this machine. */
function listensWithoutProvider({ command, values }: Situation): boolean {
  return listens(command) && values.OIDC_ISSUER === undefined
}

function isExposedHttp(text: string | undefined, values: Values): boolean {
  if (text === undefined || values.OIDC_ALLOW_HTTP) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}
