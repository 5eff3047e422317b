import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../base/digest.ts'

export interface MigrationFile {
  readonly version: number
  readonly name: string
  readonly text: string
  readonly checksum: string
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/

/** `NNNN_name.sql`, numbered from 0001 without gaps, so that a forgotten file is noticed. */
export async function migrationFiles(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (fileName, index) => {
      const [, digits, name] = FILE_NAME.exec(fileName) ?? []
      if (name === undefined || Number(digits) !== index + 1) {
        throw new Error(`Migration ${fileName}: expected a file ${numberOf(index + 1)}_name.sql.`)
      }
      const text = await readFile(join(directory, fileName), 'utf8')
      return { version: index + 1, name, text, checksum: sha256Hex(text) }
    }),
  )
}

function numberOf(version: number): string {
  return String(version).padStart(4, '0')
}

export function fileNameOf({ version, name }: { version: number; name: string }): string {
  return `${numberOf(version)}_${name}.sql`
}
