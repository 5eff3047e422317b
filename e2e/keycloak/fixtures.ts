import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonText } from '../../deploy/keycloak/json-text.ts'

export interface Fixture {
  /** The release that said so. */
  readonly keycloak: string
  readonly recorded: unknown
}

const DIRECTORY = join(import.meta.dirname, 'fixtures')
const fileOf = (name: string) => join(DIRECTORY, `${name}.json`)

export async function readFixture(name: string): Promise<Fixture> {
  return JSON.parse(await readFile(fileOf(name), 'utf8')) as Fixture
}

export async function writeFixture(name: string, fixture: Fixture): Promise<void> {
  await mkdir(DIRECTORY, { recursive: true })
  await writeFile(fileOf(name), jsonText(fixture))
}
