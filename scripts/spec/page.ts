import type { Clause } from './clause.ts'
import type { Proofs } from './proofs.ts'

/** docs/spec.md: every statement of the identity and access contract, our answer, and its tests. */
export function specPage(clauses: readonly Clause[], proofs: Proofs): string {
  const bySection = Map.groupBy(clauses, ({ section }) => section)
  return `# The identity and access contract, clause by clause

Made by \`npm run generate\` from \`scripts/spec/clauses.ts\` and the titles of the tests; a test fails when a clause has none.
The left column says what the contract states, or where it says "not shown"; the middle one is what this platform does.

${[...bySection].map(([section, rows]) => sectionOf(section, rows, proofs)).join('\n\n')}
`
}

function sectionOf(section: string, rows: readonly Clause[], proofs: Proofs): string {
  const lines = rows.map(
    ({ id, states, answer }) =>
      `| <a id="${id}"></a>${id} | ${states} | ${answer} | ${proofOf(id, proofs)} |`,
  )
  return `## ${section}\n\n| Clause | States | Here | Proved by |\n| --- | --- | --- | --- |\n${lines.join('\n')}`
}

function proofOf(id: string, proofs: Proofs): string {
  const files = [...new Set((proofs.get(id) ?? []).map(({ file }) => file))]
  return files.map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', ') || '**nothing**'
}
