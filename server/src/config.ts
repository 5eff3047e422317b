import { join } from 'node:path'
import type { Mode } from './access/caller.ts'
import { type Environment, requireKnownNames } from './settings/names.ts'
import { type Command, requireRules, type Situation } from './settings/rules.ts'
import { SettingsError } from './settings/settings-error.ts'
import type { Values } from './settings/table.ts'
import { valuesOf } from './settings/texts.ts'
import { discoveryUrlOf } from './settings/url-kinds.ts'

export type { DatabaseAddress, DatabaseHost } from './settings/database-url.ts'
export type { Environment } from './settings/names.ts'
export type { TrustProxy } from './settings/network-kinds.ts'
export { type Setting, settings, settingsReference } from './settings/reference.ts'
export type { Command } from './settings/rules.ts'
export { SettingsError } from './settings/settings-error.ts'

const TOKEN_DATA_DIR = '.tfs'
/** Each database keeps the mode it began in (platform contract, section 1). */
const DEVELOPER_DATA_DIR = '.tfs-dev'
const KEY_DIR = 'keys'

export interface Oidc {
  readonly issuer: string
  readonly discoveryUrl: string
  readonly audience: Values['OIDC_AUDIENCE']
  /** Undefined: any client whose token carries the audience. */
  readonly clients: Values['OIDC_CLIENTS']
  readonly maxTokenLifeSeconds: Values['OIDC_MAX_TOKEN_LIFE']
  readonly personClaim: Values['OIDC_PERSON_CLAIM']
  /** Plain http off loopback, for discovery and keys alike. */
  readonly allowHttp: Values['OIDC_ALLOW_HTTP']
}

/** The provider that this process runs itself, on loopback. */
export interface EmbeddedProvider {
  readonly port: Values['AUTH_PORT']
  readonly issuer: string
}

/** What the settings say, checked and frozen. Types of plain members come from the table. */
export interface Config {
  readonly command: Command
  readonly mode: Mode
  readonly hosts: Values['HOST']
  readonly port: Values['PORT']
  readonly metricsPort: Values['METRICS_PORT']
  readonly embeddedProvider: EmbeddedProvider | undefined
  /** Whose tokens are accepted, the embedded provider's too; undefined where none are read. */
  readonly oidc: Oidc | undefined
  readonly passwordGrant: boolean
  readonly databases: {
    /** Undefined: the embedded store in `dataDir`. */
    readonly application: Values['DATABASE_URL']
    readonly admin: Values['DATABASE_ADMIN_URL']
    readonly read: Values['DATABASE_READ_URL']
    readonly identity: Values['IDENTITY_DATABASE_URL']
  }
  readonly dataDir: string
  readonly keyDir: string
  readonly surface: Values['TFS_SURFACE']
  /** Undefined: derived from the port that was taken. */
  readonly publicUrl: Values['TFS_PUBLIC_URL']
  readonly trustProxy: Values['TFS_TRUST_PROXY']
  readonly corsOrigins: NonNullable<Values['TFS_CORS_ORIGINS']>
  readonly timeZone: Values['TFS_TIME_ZONE']
  /** Per second and subject; 0 is no limit. */
  readonly rateLimits: { readonly reads: number; readonly writes: number }
  readonly logLevel: Values['LOG_LEVEL']
}

export interface Flags {
  readonly developer?: boolean
}

/** The only place that touches the environment of the process. */
export function environment(): Environment {
  return process.env
}

export function readConfig(env: Environment, command: Command, flags: Flags = {}): Config {
  requireKnownNames(env)
  const situation = situationOf(valuesOf(env), command, flags.developer === true)
  requireRules(situation)
  return frozen(configOf(situation))
}

function situationOf(values: Values, command: Command, developer: boolean): Situation {
  if (developer && command === 'identity') {
    throw new SettingsError('--developer', 'has no meaning for `identity`', 'leave it out')
  }
  const provider = values.OIDC_ISSUER !== undefined
  // Platform contract, section 1: `serve` from settings alone; neither is developer mode.
  const mode = developer || (command === 'serve' && !provider) ? 'developer' : 'token'
  const embeddedProvider =
    command === 'identity' || (command === 'start' && mode === 'token' && !provider)
  return { command, mode, developer, embeddedProvider, values }
}

function configOf({ command, mode, embeddedProvider, values }: Situation): Config {
  const embedded = embeddedProvider ? embeddedProviderOf(values) : undefined
  const dataDir =
    values.TFS_DATA_DIR ?? (mode === 'developer' ? DEVELOPER_DATA_DIR : TOKEN_DATA_DIR)
  return {
    command,
    mode,
    hosts: values.HOST,
    port: values.PORT,
    metricsPort: values.METRICS_PORT,
    embeddedProvider: embedded,
    oidc: oidcOf(values, embedded?.issuer ?? values.OIDC_ISSUER),
    passwordGrant: embedded !== undefined && (values.TFS_PASSWORD_GRANT ?? true),
    databases: {
      application: values.DATABASE_URL,
      admin: values.DATABASE_ADMIN_URL,
      read: values.DATABASE_READ_URL,
      identity: values.IDENTITY_DATABASE_URL,
    },
    dataDir,
    keyDir: values.TFS_KEY_DIR ?? join(dataDir, KEY_DIR),
    surface: values.TFS_SURFACE,
    publicUrl: values.TFS_PUBLIC_URL,
    trustProxy: values.TFS_TRUST_PROXY,
    corsOrigins: values.TFS_CORS_ORIGINS ?? [],
    timeZone: values.TFS_TIME_ZONE,
    rateLimits: { reads: values.TFS_RATE_LIMIT_READS, writes: values.TFS_RATE_LIMIT_WRITES },
    logLevel: values.LOG_LEVEL,
  }
}

function embeddedProviderOf({ AUTH_PORT: port }: Values): EmbeddedProvider {
  return { port, issuer: `http://localhost:${port}/realms/tfs` }
}

function oidcOf(values: Values, issuer: string | undefined): Oidc | undefined {
  if (issuer === undefined) return undefined
  // A discovery address that was set belongs to the issuer that was set, not to the embedded one.
  const reached = issuer === values.OIDC_ISSUER ? values.OIDC_DISCOVERY_URL : undefined
  return {
    issuer,
    discoveryUrl: reached ?? discoveryUrlOf(issuer),
    audience: values.OIDC_AUDIENCE,
    clients: values.OIDC_CLIENTS,
    maxTokenLifeSeconds: values.OIDC_MAX_TOKEN_LIFE,
    personClaim: values.OIDC_PERSON_CLAIM,
    allowHttp: values.OIDC_ALLOW_HTTP,
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
