import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fixture } from '../fixtures.ts'
import { isAt } from './differences.ts'
import { type ExpectedDifference, expectedDifferences } from './expected-differences.ts'

const DOCUMENTS = {
  discovery: 'Discovery',
  'access-tokens': 'Access tokens',
  'token-answers': 'Answers of the token endpoint',
  'token-errors': 'Failures of the token endpoint',
} as const
type DocumentName = keyof typeof DOCUMENTS

const ITEMS_SHOWN = 3
const NOTHING = '–'
const OFFERED = 'offered'
/** Numbers from here on are seconds since 1970. */
const EARLIEST_MOMENT = 1_000_000_000

/** docs/reference/provider-differences.md: what is compared, and every difference with its reason. */
export function differencesReference(): string {
  const fixtures = namesOfDocuments().map((name) => [name, fixtureOf(name)] as const)
  const version = fixtures[0]?.[1].keycloak
  return `# The embedded provider and Keycloak

Made by \`npm run generate\` from \`e2e/keycloak/compared/\`; edit that, not this page.

The same questions were put to a real Keycloak (${version}, our demo realm) and are put to the embedded provider in every test run:
the discovery document; header, claims and answer for each grant; status, headers and body of ${failureCount()} failures. Wherever
an answer is not listed here, both say the same, word for word; ids, keys and moments aside. A difference that is not listed fails the
tests, and so does one that is listed and gone.

${fixtures.map(([name, fixture]) => sectionOf(name, fixture)).join('\n\n')}
`
}

function namesOfDocuments(): DocumentName[] {
  return Object.keys(DOCUMENTS) as DocumentName[]
}

function fixtureOf(name: DocumentName): Fixture {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/${name}.json`), 'utf8'))
}

function failureCount(): number {
  return Object.keys(fixtureOf('token-errors').recorded as object).length
}

function sectionOf(name: DocumentName, { recorded }: Fixture): string {
  const prefix = `/${name}/`
  const rows = expectedDifferences
    .map((row) => ({ ...row, pointers: row.pointers.filter((one) => one.startsWith(prefix)) }))
    .filter(({ pointers }) => pointers.length > 0)
    .map((row) => rowOf(row, prefix, recorded))
  return `## ${DOCUMENTS[name]}

| Where | Keycloak | Embedded | Why |
| --- | --- | --- | --- |
${rows.join('\n')}`
}

function rowOf(row: ExpectedDifference, prefix: string, recorded: unknown): string {
  const where = row.pointers.map((pointer) => `\`${pointer.slice(prefix.length)}\``)
  const values = row.pointers.flatMap((pointer) =>
    valuesAt(pointer.slice(prefix.length - 1), recorded),
  )
  const cells = [where.join('<br>'), keycloakText(values), text(row.embedded), row.reason]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** Several members that say much and differently are told apart by their names alone. */
function keycloakText(values: readonly unknown[]): string {
  if (values.length === 0) return NOTHING
  const texts = [...new Set(values.map(text))]
  const isBrief = texts.length === 1 || values.every((value) => typeof value === 'string')
  return isBrief ? texts.join(' or ') : OFFERED
}

function valuesAt(pattern: string, recorded: unknown, pointer = ''): unknown[] {
  if (isAt(pattern, pointer)) return [recorded]
  if (typeof recorded !== 'object' || recorded === null || Array.isArray(recorded)) return []
  return Object.entries(recorded).flatMap(([name, member]) =>
    valuesAt(pattern, member, `${pointer}/${name}`),
  )
}

function text(value: unknown): string {
  if (value === undefined) return NOTHING
  if (Array.isArray(value)) {
    const shown = value.slice(0, ITEMS_SHOWN).map((item) => `\`${item}\``)
    const left = value.length - shown.length
    return shown.join(', ') + (left > 0 ? ` and ${left} more` : '')
  }
  if (typeof value === 'object') return OFFERED
  if (typeof value === 'number' && value >= EARLIEST_MOMENT) return 'a moment'
  return value === '' ? 'empty' : `\`${value}\``
}
