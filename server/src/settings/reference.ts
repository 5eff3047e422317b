import { databaseParameters } from './database-url.ts'
import { FILE_SUFFIX, RESERVED_PREFIXES } from './names.ts'
import { rules } from './rules.ts'
import { declarationOf, type Section, type SettingName, settingNames } from './table.ts'

export interface Setting {
  readonly name: SettingName
  readonly section: Section
  /** As the reference shows it. */
  readonly default: string
  readonly meaning: string
  readonly allowed: string
}

/** Every setting in the order of the reference. */
export const settings: readonly Setting[] = settingNames.map((name) => {
  const declaration = declarationOf(name)
  return Object.freeze({
    name,
    section: declaration.section,
    default:
      'default' in declaration ? `\`${declaration.default}\`` : `unset: ${declaration.unset}`,
    meaning: declaration.meaning,
    allowed: declaration.kind.allowed,
  })
})

const INTRODUCTION = [
  'The program is configured by environment variables alone. A bad setting stops the start with one',
  'line that names the setting, what is wrong and what is allowed.',
].join(' ')

const HOW_TEXTS_ARE_READ = [
  [
    'A variable that is set but empty, or has white space around its value, is refused: an empty',
    'value never means the default.',
  ],
  [
    `Every setting but \`NODE_ENV\` can come from a file: \`DATABASE_URL${FILE_SUFFIX}=/run/secrets/url\`.`,
    'One line break at the end of the file is dropped. Setting both is refused.',
  ],
  [
    'A variable that begins with `TFS_`, `OIDC_` or `DATABASE_` and is not listed here is refused as',
    'a slip, as is one that nearly spells an `OIDC_…` or `…DATABASE_…` setting. Passed over are',
    `${RESERVED_PREFIXES.map((prefix) => `\`${prefix}…\``).join(', ')} and what clusters set for`,
    'services (`…_SERVICE_HOST`, `…_PORT_8080_TCP` and the like).',
  ],
  [
    'The URL of a database must name user and database. It may name several hosts, separated by',
    'commas, or the directory of a unix socket (`postgres://user@/database?host=/run/postgresql`).',
    `Its parameters are ${databaseParameters.map((name) => `\`${name}\``).join(', ')}.`,
  ],
].map((sentences) => sentences.join(' '))

const REACH_OF_THE_RULES = [
  'The rules about a missing `OIDC_ISSUER` hold for `start` and `serve`, with the embedded provider',
  'too. Loopback is `localhost`, `127.0.0.0/8`, `::1` and a unix socket; where a URL names several',
  'hosts, all of them must be loopback.',
].join(' ')

/** docs/reference/settings.md */
export function settingsReference(): string {
  const sections = [...new Set(settings.map(({ section }) => section))]
  const blocks = [
    '# Settings',
    INTRODUCTION,
    list(HOW_TEXTS_ARE_READ),
    ...sections.flatMap((section) => [`## ${section}`, tableOf(section)]),
    '## When the start stops',
    'A bad value stops every command. Beyond that, the start stops when:',
    list(rules.map(({ when }) => `${when}.`)),
    REACH_OF_THE_RULES,
  ]
  return `${blocks.join('\n\n')}\n`
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

function tableOf(section: Section): string {
  const rows = settings
    .filter((setting) => setting.section === section)
    .map(({ name, default: usual, meaning, allowed }) =>
      [`\`${name}\``, usual, meaning, allowed].map((cell) => cell.replaceAll('|', '\\|')),
    )
  return [['Setting', 'Default', 'Meaning', 'Allowed'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
