import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which test titles cite which clause: `spec 5.6.2` in a title is the whole convention. */
export type Proofs = ReadonlyMap<string, readonly Proof[]>

export interface Proof {
  readonly file: string
  readonly title: string
}

const TITLE = /(?:test|it|describe)(?:\.\w+)*(?:\([^)]*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const CITED = /\bspec (\d+(?:\.\d+)*)/g

export function proofsIn(root: string): Proofs {
  const proofs = new Map<string, Proof[]>()
  for (const file of testFiles(root)) {
    for (const match of readFileSync(join(root, file), 'utf8').matchAll(TITLE)) {
      const title = match[2] as string
      for (const [, clause] of title.matchAll(CITED)) {
        const known = proofs.get(clause as string) ?? []
        proofs.set(clause as string, [...known, { file, title }])
      }
    }
  }
  return proofs
}

function testFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed
    .split('\n')
    .filter((file) => file.endsWith('.test.ts') && existsSync(join(root, file)))
    .sort()
}
