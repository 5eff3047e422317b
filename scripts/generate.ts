import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles } from './generated-files.ts'

/** Writes what follows from the code; `--check` only says what is out of date. */
const root = join(import.meta.dirname, '..')
const isCheck = process.argv.includes('--check')
const stale: string[] = []

for (const [file, text] of Object.entries(await generatedFiles(root))) {
  const path = join(root, file)
  if (textOf(path) === text) continue
  stale.push(file)
  if (!isCheck) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

if (isCheck && stale.length > 0) {
  process.stderr.write(`Out of date, run npm run generate: ${stale.join(', ')}\n`)
  process.exitCode = 1
} else {
  process.stdout.write(
    stale.length > 0 ? `Written: ${stale.join(', ')}\n` : 'Generated files are current.\n',
  )
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
