import { SettingsError } from './settings-error.ts'
import { declarationOf, settingNames } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const FILE_SUFFIX = '_FILE'

/** Names of ours that other programs read; a server start passes them over. */
export const RESERVED_PREFIXES = ['TFS_CLI_', 'TFS_TEST_', 'TFS_BENCH_'] as const

const OWN_PREFIX = /^(?:TFS|OIDC|DATABASE)_/i
/** Clusters set these for a service that happens to be called `tfs` or `database`. */
const SERVICE_LINK_NAME =
  /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/
const SERVICE_LINK_VALUE = /^(?:tcp|udp|sctp):\/\//

const LARGEST_SLIP = 2
const LARGEST_GUESS = 4
const LONGEST_SHOWN = 60
const ALLOWED = 'the names in docs/reference/settings.md'

const accepted: ReadonlySet<string> = new Set(
  settingNames.flatMap((name) =>
    declarationOf(name).kind.foreign ? [name] : [name, name + FILE_SUFFIX],
  ),
)

/** A misspelt OIDC_ISSUER would mean developer mode, a misspelt DATABASE_URL another database. */
const costlyToMiss = [...accepted].filter((name) => /^OIDC_|DATABASE_/.test(name))

/** Stops at a variable that was meant for us but is none of ours. */
export function requireKnownNames(env: Environment): void {
  for (const name of Object.keys(env).sort()) {
    const text = env[name]
    if (text === undefined || accepted.has(name) || isReserved(name, text)) continue
    const meant = OWN_PREFIX.test(name) ? nearestTo(name) : slipOf(name)
    if (meant === undefined && !OWN_PREFIX.test(name)) continue
    const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
    throw new SettingsError(name.slice(0, LONGEST_SHOWN), `is not a setting${hint}`, ALLOWED)
  }
}

function isReserved(name: string, text: string): boolean {
  if (RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix))) return true
  if (SERVICE_LINK_NAME.test(name)) return true
  return name.endsWith('_PORT') && SERVICE_LINK_VALUE.test(text)
}

function slipOf(name: string): string | undefined {
  return costlyToMiss.find((known) => distanceOf(name.toUpperCase(), known) <= LARGEST_SLIP)
}

/** The longest name of ours inside it (`TFS_OIDC_ISSUER`), else the one with the fewest slips. */
function nearestTo(name: string): string | undefined {
  const upper = name.toUpperCase()
  const inside = settingNames
    .filter((known) => `_${upper}_`.includes(`_${known}_`))
    .sort((a, b) => b.length - a.length)[0]
  if (inside !== undefined) return inside
  const guesses = settingNames
    .map((known) => ({ known, distance: distanceOf(upper, known) }))
    .filter(({ distance }) => distance <= LARGEST_GUESS)
    .sort((a, b) => a.distance - b.distance)
  return guesses[0]?.known
}

/** Edits between two names: insert, delete, replace, swap neighbours. Beyond the guess: no matter. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > LARGEST_GUESS) return LARGEST_GUESS + 1
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? at(i - 2, j - 2) + 1
          : replaced
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(a.length, b.length)
}
