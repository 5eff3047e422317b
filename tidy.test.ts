import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Style as a test: what a reader may rely on in every file of the tree. */

const LONGEST_SOURCE = 250
const LONGEST_TEST = 400
const VAGUE =
  /(?:^|[-.])(?:utils?|helpers?|manager|services?(?!-clauses)|handlers?|data(?!-dir)|info|misc|common)(?=[-.])/
const KEBAB = /^[a-z0-9]+(?:[-.][a-z0-9]+)*\.(?:ts|tsx|sql)$/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:ts|tsx|sql)$/.test(file) && existsSync(file))
const sources = files.filter((file) => file.endsWith('.ts') || file.endsWith('.tsx'))
const isTest = (file: string): boolean =>
  file.endsWith('.test.ts') || /(?:^|\/)(?:test|e2e)\//.test(file)
const textOf = (file: string): string => readFileSync(file, 'utf8')

/** Rows rather than a count: a failing run names the files. */
function violations(candidates: readonly string[], isWrong: (file: string) => boolean): string[] {
  return candidates.filter(isWrong)
}

describe('size and names', () => {
  test('no file is too long to be read at once', () => {
    const tooLong = files
      .map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > (isTest(file) ? LONGEST_TEST : LONGEST_SOURCE))
    expect(tooLong).toEqual([])
  })

  test('files are kebab-case and say what they hold', () => {
    expect(
      violations(files, (file) => !/^\d{4}_/.test(basename(file)) && !KEBAB.test(basename(file))),
    ).toEqual([])
    expect(violations(files, (file) => VAGUE.test(basename(file)))).toEqual([])
  })

  test('nothing is left unfinished', () => {
    const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X:'].join('|'))
    expect(violations(sources, (file) => marks.test(textOf(file)))).toEqual([])
  })
})

/** What each floor of the server may stand on; a lower floor never imports a higher one. */
const BELOW_SLICES = ['base', 'storage', 'access', 'http']
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  storage: ['base'],
  access: ['base', 'storage'],
  settings: ['base', 'access'],
  http: ['base', 'storage', 'access'],
  self: BELOW_SLICES,
  partners: [...BELOW_SLICES, 'changes', 'parties'],
  parties: [...BELOW_SLICES, 'changes'],
  changes: BELOW_SLICES,
  requests: [...BELOW_SLICES, 'changes', 'parties'],
  contracts: [...BELOW_SLICES, 'changes', 'parties', 'partners'],
  approvals: [...BELOW_SLICES, 'changes', 'parties', 'partners', 'contracts'],
  reports: [...BELOW_SLICES, 'parties', 'partners', 'contracts'],
  'audit-trail': BELOW_SLICES,
  events: BELOW_SLICES,
  webhooks: BELOW_SLICES,
  identity: ['base', 'storage', 'access', 'http'],
  watching: BELOW_SLICES,
  'docs-pages': ['base', 'http', 'surfaces.ts'],
  demo: [...BELOW_SLICES, 'changes', 'parties', 'partners', 'requests', 'contracts'],
}
const SLICES = new Set([
  'parties',
  'partners',
  'changes',
  'requests',
  'approvals',
  'contracts',
  'reports',
  'audit-trail',
  'events',
  'webhooks',
])
const ROOT = 'server/src/'

const productFiles = sources.filter((file) => file.startsWith(ROOT) && !isTest(file))
const floorOf = (file: string): string => file.slice(ROOT.length).split('/')[0] as string

function importsOf(file: string): string[] {
  return [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    normalize(join(dirname(file), match[1] as string)),
  )
}

describe('direction of imports', () => {
  test('a lower floor never imports a higher one', () => {
    const upward = productFiles.flatMap((file) => {
      const floor = floorOf(file)
      const allowed = FLOORS[floor]
      if (allowed === undefined)
        return file.slice(ROOT.length).includes('/') ? [`${file}: no floor`] : []
      return importsOf(file)
        .filter((target) => target.startsWith(ROOT))
        .filter((target) => floorOf(target) !== floor && !allowed.includes(floorOf(target)))
        .map((target) => `${file} → ${target}`)
    })
    expect(upward).toEqual([])
  })

  test('slices see each other only through index.ts', () => {
    const inside = productFiles.flatMap((file) =>
      importsOf(file)
        .filter((target) => SLICES.has(floorOf(target)) && floorOf(target) !== floorOf(file))
        .filter((target) => !['index.ts', 'permissions.ts'].includes(basename(target)))
        .map((target) => `${file} → ${target}`),
    )
    expect(inside).toEqual([])
  })

  test('nothing is circular', () => {
    const cycles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
        return
      }
      if (done.has(file) || !existsSync(file)) return
      for (const target of importsOf(file)) visit(target, [...path, file])
      done.add(file)
    }
    for (const file of productFiles) visit(file, [])
    expect(cycles).toEqual([])
  })

  test('clients meet the server only in its commands and its settings', () => {
    const reaching = sources
      .filter((file) => file.startsWith('cli/') && !isTest(file))
      .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
      .filter(({ target }) => target.startsWith(ROOT))
      .filter(
        ({ target }) =>
          !/^server\/src\/(?:main|config|start|open-identity|identity-commands|audit-trail\/verify-export|identity\/[a-z-]+)\.ts$/.test(
            target,
          ),
      )
    expect(reaching).toEqual([])
  })
})

describe('one place for each thing', () => {
  test('only config.ts reads the environment', () => {
    expect(
      violations(
        productFiles,
        (file) => file !== `${ROOT}config.ts` && /process\.env/.test(textOf(file)),
      ),
    ).toEqual([])
  })

  test('SQL stands in stores, in storage/ and nowhere else', () => {
    const isStore = (file: string): boolean =>
      /(?:^|-)store\.ts$/.test(basename(file)) || /\/(?:storage|identity)\//.test(file)
    expect(
      violations(productFiles, (file) => !isStore(file) && /storage\/sql\.ts'/.test(textOf(file))),
    ).toEqual([])
  })

  test('only the embedded provider imports oidc-provider', () => {
    expect(
      violations(
        sources,
        (file) =>
          !file.includes('/identity/') && /^import .* from 'oidc-provider'/m.test(textOf(file)),
      ),
    ).toEqual([])
  })

  test('an operation is one file with a test beside it, and carries the name of the file', () => {
    const operations = productFiles.filter(
      (file) => SLICES.has(floorOf(file)) && hasOperation(file),
    )
    expect(operations.length).toBeGreaterThan(10)
    expect(violations(operations, (file) => !exportsItsName(file))).toEqual([])
    expect(
      violations(operations, (file) => !existsSync(file.replace(/\.ts$/, '.test.ts'))),
    ).toEqual([])
  })
})

function hasOperation(file: string): boolean {
  return /^export const \w+ = (?:query|command|streamQuery|reasonedDecision|proposeEnding|proposePartyMove)\(/m.test(
    textOf(file),
  )
}

function exportsItsName(file: string): boolean {
  const name = basename(file, '.ts').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const text = textOf(file)
  return text.includes(`export const ${name} = `) && text.includes(`id: '${name}'`)
}
