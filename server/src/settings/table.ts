import { databaseUrl } from './database-url.ts'
import type { Kind } from './kind.ts'
import { listenHost, trustProxy } from './network-kinds.ts'
import {
  choice,
  claimName,
  directory,
  foreignText,
  identifier,
  identifiers,
  onOff,
  port,
  timeZone,
  wholeNumber,
} from './plain-kinds.ts'
import { discoveryUrl, issuerUrl, origins, publicUrl } from './url-kinds.ts'

const LONGEST_AUDIENCE = 255
const LONGEST_CLIENT = 255
const MOST_CLIENTS = 100
const LONGEST_CLAIM_NAME = 128
const SHORTEST_TOKEN_LIFE_SECONDS = 60
const LONGEST_TOKEN_LIFE_SECONDS = 30 * 86_400
const MOST_ORIGINS = 50
const HIGHEST_RATE = 1_000_000

export type Section = 'Addresses' | 'Identity' | 'Storage' | 'Deployment' | 'Operation'

/** `default` is read like a text that was set; `unset` says what happens without a value. */
export type Declaration = {
  readonly section: Section
  readonly kind: Kind<unknown>
  readonly meaning: string
} & ({ readonly default: string } | { readonly unset: string })

/** Every setting of the program (platform contract, section 1), in the order of the reference. */
export const table = {
  HOST: {
    section: 'Addresses',
    kind: listenHost,
    default: 'localhost',
    meaning: 'Where the API, the console and the portal listen.',
  },
  PORT: {
    section: 'Addresses',
    kind: port(0),
    default: '8080',
    meaning: 'Their port; when it is busy `start` takes the next free one and `serve` stops.',
  },
  AUTH_PORT: {
    section: 'Addresses',
    kind: port(1),
    default: '8180',
    meaning:
      'The port of the embedded identity provider, always on loopback; part of its issuer, so a busy port stops the start.',
  },
  METRICS_PORT: {
    section: 'Addresses',
    kind: port(0),
    default: '9464',
    meaning: 'Where `/metrics` listens, always on loopback.',
  },
  OIDC_ISSUER: {
    section: 'Identity',
    kind: issuerUrl,
    unset: '`start` brings its embedded provider, `serve` is developer mode',
    meaning: 'The identity provider whose tokens are accepted, exactly as it writes `iss`.',
  },
  OIDC_DISCOVERY_URL: {
    section: 'Identity',
    kind: discoveryUrl,
    unset: 'below the issuer',
    meaning:
      'Where discovery is reached when that differs from the issuer, as between containers; the `issuer` inside must still equal `OIDC_ISSUER`.',
  },
  OIDC_ALLOW_HTTP: {
    section: 'Identity',
    kind: onOff,
    default: 'false',
    meaning: 'Allows an issuer and a discovery address in plain http that are not on loopback.',
  },
  OIDC_AUDIENCE: {
    section: 'Identity',
    kind: identifier(LONGEST_AUDIENCE),
    default: 'tfs-core-api',
    meaning: 'The audience (`aud`) that a token must carry.',
  },
  OIDC_CLIENTS: {
    section: 'Identity',
    kind: identifiers(LONGEST_CLIENT, MOST_CLIENTS),
    unset: 'any client whose token carries the audience',
    meaning: 'The clients (`azp`) whose tokens are accepted.',
  },
  OIDC_MAX_TOKEN_LIFE: {
    section: 'Identity',
    kind: wholeNumber(SHORTEST_TOKEN_LIFE_SECONDS, LONGEST_TOKEN_LIFE_SECONDS, ' (seconds)'),
    default: '86400',
    meaning: 'The longest life of a token (`exp` minus `iat`) that is accepted, in seconds.',
  },
  OIDC_PERSON_CLAIM: {
    section: 'Identity',
    kind: claimName(LONGEST_CLAIM_NAME),
    unset: 'no such claim',
    meaning:
      'A claim that names the person behind several accounts, such as an employee number; four-eyes compares it too.',
  },
  TFS_PASSWORD_GRANT: {
    section: 'Identity',
    kind: onOff,
    unset: 'on while the embedded provider is on loopback',
    meaning: 'The password grant of the embedded provider, for scripts and integration tests.',
  },
  DATABASE_URL: {
    section: 'Storage',
    kind: databaseUrl,
    unset: 'embedded PostgreSQL in `TFS_DATA_DIR`',
    meaning: 'PostgreSQL, with the unprivileged role of the application.',
  },
  DATABASE_ADMIN_URL: {
    section: 'Storage',
    kind: databaseUrl,
    unset: 'no owner',
    meaning:
      'The same database with the owner of the schema; `migrate`, `seed` and `import` alone use it.',
  },
  DATABASE_READ_URL: {
    section: 'Storage',
    kind: databaseUrl,
    unset: 'no replica',
    meaning: 'A streaming replica for reads that decide nothing.',
  },
  IDENTITY_DATABASE_URL: {
    section: 'Storage',
    kind: databaseUrl,
    unset: 'the embedded store',
    meaning: 'Where the embedded identity provider keeps its accounts.',
  },
  TFS_DATA_DIR: {
    section: 'Storage',
    kind: directory,
    unset: '`.tfs`, in developer mode `.tfs-dev`',
    meaning: 'The directory of the embedded data; one process at a time holds it.',
  },
  TFS_KEY_DIR: {
    section: 'Storage',
    kind: directory,
    unset: '`keys` in the data directory',
    meaning: 'The directory of signing and checkpoint keys; keep it out of backups.',
  },
  TFS_SURFACE: {
    section: 'Deployment',
    kind: choice('all', 'ops', 'customer'),
    default: 'all',
    meaning: 'Which surface this process serves; `customer` serves nothing of operations.',
  },
  TFS_PUBLIC_URL: {
    section: 'Deployment',
    kind: publicUrl,
    unset: 'derived from the listener',
    meaning: 'How clients reach this process through a proxy.',
  },
  TFS_TRUST_PROXY: {
    section: 'Deployment',
    kind: trustProxy,
    default: 'none',
    meaning: 'The proxies whose `X-Forwarded-*` lines are believed.',
  },
  TFS_CORS_ORIGINS: {
    section: 'Deployment',
    kind: origins(MOST_ORIGINS),
    unset: 'none',
    meaning: 'The foreign origins whose browser code may call the API.',
  },
  NODE_ENV: {
    section: 'Deployment',
    kind: foreignText,
    unset: 'not production',
    meaning: '`production` refuses every start without `OIDC_ISSUER`.',
  },
  TFS_TIME_ZONE: {
    section: 'Operation',
    kind: timeZone,
    default: 'UTC',
    meaning: 'The time zone of business dates and contract numbers.',
  },
  TFS_RATE_LIMIT_READS: {
    section: 'Operation',
    kind: wholeNumber(0, HIGHEST_RATE, '; `0` switches the limit off'),
    default: '500',
    meaning: 'Reads per second and subject, per process; bursts may reach twice that.',
  },
  TFS_RATE_LIMIT_WRITES: {
    section: 'Operation',
    kind: wholeNumber(0, HIGHEST_RATE, '; `0` switches the limit off'),
    default: '50',
    meaning: 'Writes per second and subject, per process; bursts may reach twice that.',
  },
  LOG_LEVEL: {
    section: 'Operation',
    kind: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning: 'The least important log line that is written.',
  },
} as const satisfies Readonly<Record<string, Declaration>>

export type SettingName = keyof typeof table

type ParsedBy<D> = D extends { readonly kind: Kind<infer Value> } ? Value : never

/** What the texts of all settings become; undefined only where the table has no default. */
export type Values = {
  readonly [Name in SettingName]:
    | ParsedBy<(typeof table)[Name]>
    | ((typeof table)[Name] extends { readonly default: string } ? never : undefined)
}

export const settingNames = Object.keys(table) as readonly SettingName[]

export function declarationOf(name: SettingName): Declaration {
  return table[name]
}
