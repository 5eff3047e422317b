import { parseArgs } from 'node:util'
import { killRepeatedly, type Tally } from './rounds.ts'
import { embeddedTarget, postgresTarget, type Target } from './target.ts'

/**
 * Kills the API with -9 while clients write, and looks for what is missing:
 * `node scripts/crash/kill-nine.ts --rounds 50 [--postgres URL of a superuser] [--seed N]`
 */
const DEFAULT_ROUNDS = 50
const HIGHEST_SEED = 2 ** 31

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: String(DEFAULT_ROUNDS) },
    postgres: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * HIGHEST_SEED)) },
  },
})

console.log(`seed ${values.seed}`)
const target: Target = await (values.postgres ? postgresTarget(values.postgres) : embeddedTarget())
try {
  const tally = await killRepeatedly({
    target,
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    onRound: (round, acknowledged) =>
      console.log(`round ${round}: ${acknowledged} acknowledged so far`),
  })
  print(tally)
  process.exitCode = tally.lost.length + tally.violations.length === 0 ? 0 : 1
} finally {
  await target.remove()
}

function print({ lost, violations, ...counted }: Tally): void {
  const rows = { ...counted, lost: lost.length, violations: violations.length }
  const width = Math.max(...Object.keys(rows).map((name) => name.length))
  console.log()
  for (const [name, value] of Object.entries(rows)) {
    console.log(`  ${name.padEnd(width)}  ${String(value).padStart(8)}`)
  }
  for (const line of lost) console.log(`  lost: ${line}`)
  for (const line of violations) console.log(`  violation: ${line}`)
}
