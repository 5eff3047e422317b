import { Command, InvalidArgumentError } from 'commander'
import { environment, readConfig } from '../../server/src/config.ts'
import type { Seeded } from '../../server/src/main.ts'
import { counted, durationText, progressDisplay, rateOf } from '../load-progress.ts'
import { heedSignals } from '../until-stopped.ts'

interface SeedOptions {
  readonly developer?: boolean
  readonly demo?: boolean
  readonly contracts?: number
  readonly seed?: number
  readonly asOf?: string
  readonly force?: boolean
}

const INTERRUPTED_EXIT = 130

export function seedCommand(): Command {
  return new Command('seed')
    .description('Fill the database with the demo story, or with load data.')
    .option('--demo', 'the demo story, four weeks of work (default without --contracts)')
    .option('--contracts <number>', 'load data: so many contracts and what belongs to them', whole)
    .option('--seed <number>', 'which load data: the same number gives the same rows', whole)
    .option('--as-of <date>', 'the day on which load data stand as they are (2026-07-01)')
    .option('--force', 'also into a database that holds other data')
    .option('--developer', 'the embedded store of developer mode')
    .addHelpText('after', HELP)
    .action(run)
}

const HELP = `
The story is told once, whole or not at all. In an empty database, as the owner of the schema
(embedded, or DATABASE_ADMIN_URL), it is spread over the last four weeks; otherwise all of it
happens today.

Load data need the owner too. They are the same for the same --contracts, --seed and --as-of, ids
and numbers included. Ctrl-C ends after the batch under way; the same command goes on from there.`

function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A whole number is needed.')
  return Number(text)
}

async function run(options: SeedOptions, command: Command): Promise<void> {
  const { contracts, seed, asOf, force = false } = options
  if (contracts === undefined && (seed !== undefined || asOf !== undefined)) {
    command.error('error: --seed and --as-of belong to --contracts')
  }
  const config = readConfig(environment(), 'seed', options)
  const { seed: seedStore } = await import('../../server/src/main.ts')
  const stop = new AbortController()
  void heedSignals().then(() => stop.abort())
  const display = progressDisplay(process.stdout, Date.now)
  const seeded = await seedStore(config, {
    demo: options.demo === true || contracts === undefined,
    ...(contracts !== undefined && {
      load: { contracts, ...(seed !== undefined && { seed }), ...(asOf !== undefined && { asOf }) },
    }),
    force,
    onProgress: display.show,
    signal: stop.signal,
  }).catch((error: unknown) => {
    display.end()
    throw error
  })
  const elapsedMs = display.end()
  if (seeded.story) process.stdout.write(storyLine(seeded.story))
  if (seeded.load) process.stdout.write(loadLine(seeded.load, elapsedMs))
}

function storyLine(story: NonNullable<Seeded['story']>): string {
  switch (story) {
    case 'TOLD':
      return 'The demo story is told.\n'
    case 'TOLD_TODAY':
      return (
        'The demo story is told, all of it dated today: ' +
        'only the owner of an empty database can spread it over the last weeks.\n'
      )
    case 'KNOWN':
      return 'The demo story was there already; nothing changed.\n'
    case 'OTHER_DATA':
      throw new Error('The database holds other data; nothing changed. --force tells it anyway.')
  }
}

function loadLine(load: NonNullable<Seeded['load']>, elapsedMs: number): string {
  const { began, done, contracts } = load
  if (began === contracts) return 'The load data were there already; nothing changed.\n'
  if (done < contracts) {
    process.exitCode = INTERRUPTED_EXIT
    return `Stopped at ${counted(done)} of ${counted(contracts)} contracts; the same command goes on from there.\n`
  }
  const rate = counted(rateOf(done - began, elapsedMs))
  const time = durationText(elapsedMs / 1000)
  return `Loaded ${counted(done - began)} contracts in ${time}, ${rate} a second; ${counted(contracts)} are there.\n`
}
