import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDataDir, tempFolder } from './test/data-dir.ts'
import { type NewDatabase, newDatabase } from './test/postgres-database.ts'
import { type Env, type Finished, runTfs, spawnTfs } from './test/tfs-process.ts'

/** A start of the embedded store takes seconds, on a busy machine many. */
const LONGEST_TEST_MS = 240_000
const TOLD = 'The demo story is told.\n'
const KNOWN = 'The demo story was there already; nothing changed.\n'
const ALL_THERE = 'The load data were there already; nothing changed.\n'

const seed = (env: Env, folder: string, ...args: string[]): Promise<Finished> =>
  runTfs(['seed', '--developer', ...args], env, folder)
const outcomeOf = ({ code, stdout, stderr }: Finished) => [code, stdout, stderr]

describe('platform 1: `tfs seed` on the embedded store', { timeout: LONGEST_TEST_MS }, () => {
  let folder: string
  let env: Env
  beforeAll(async () => {
    folder = await newDataDir()
    env = { TFS_DATA_DIR: folder }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('tells the demo story once, in its own mode only', async () => {
    expect(outcomeOf(await seed(env, folder))).toEqual([0, TOLD, ''])
    expect(outcomeOf(await seed(env, folder, '--demo'))).toEqual([0, KNOWN, ''])
    const { code, stderr } = await runTfs(['seed'], env, folder)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^tfs: This database was first served in developer mode .*\n$/),
    })
  })

  test('--contracts loads beside the story, once; another plan is refused in one line', async () => {
    const { code, stdout } = await seed(env, folder, '--contracts', '60')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Loaded 60 contracts in \d+ s, \d+ a second; 60 are there\.\n$/)
    const again = await seed(env, folder, '--demo', '--contracts', '60')
    expect(outcomeOf(again)).toEqual([0, KNOWN + ALL_THERE, ''])
    const other = await seed(env, folder, '--contracts', '61')
    expect(outcomeOf(other)).toEqual([
      1,
      '',
      expect.stringMatching(/^tfs: This database has the load data of --contracts 60 [^\n]*\n$/),
    ])
  })

  test.each([
    [['--contracts', 'many'], 2, /'--contracts <number>' argument 'many' is invalid\./],
    [['--seed', '3'], 2, /^tfs: --seed and --as-of belong to --contracts\n$/],
    [['--contracts', '0'], 1, /^tfs: --contracts takes a number from 1 to 10000000\.\n$/],
    [['--contracts', '1', '--as-of', '2999-01-01'], 1, /^tfs: --as-of takes a day up to today/],
  ])('%j: one line and exit %d', async (args, code, line) => {
    const finished = await seed(env, folder, ...args)
    expect(outcomeOf(finished)).toEqual([code, '', expect.stringMatching(line)])
    expect(finished.stderr.split('\n')).toHaveLength(2)
  })
})

describe('platform 1: `tfs seed` on PostgreSQL', { timeout: LONGEST_TEST_MS }, () => {
  let folder: string
  let database: NewDatabase
  beforeAll(async () => {
    folder = await tempFolder()
    database = await newDatabase()
    expect((await runTfs(['migrate'], database.env, folder)).code).toBe(0)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('load data without DATABASE_ADMIN_URL: one line that names it', async () => {
    const { DATABASE_URL } = database.env
    const finished = await seed({ DATABASE_URL }, folder, '--contracts', '10')
    expect(outcomeOf(finished)).toEqual([
      1,
      '',
      expect.stringMatching(/^tfs: DATABASE_ADMIN_URL is not set[^\n]*\n$/),
    ])
  })

  test('the owner spreads the story over four weeks', async () => {
    expect(outcomeOf(await seed(database.env, folder))).toEqual([0, TOLD, ''])
    const [told] = await database.asOwner(
      `with context as materialized (select set_config('tfs.scope', 'ALL', false) as scope)
       select count(distinct told.day)::integer as days from context, lateral (
         select at::date as day from tfs.event where context.scope is not null offset 0) told`,
    )
    expect(told).toEqual({ days: 20 })
  })

  test('Ctrl-C ends a load between two batches with exit 130', async () => {
    const loading = spawnTfs(
      ['seed', '--developer', '--contracts', '5000000'],
      database.env,
      folder,
    )
    await loading.says(/ of 5,000,000 contracts, [\d,]+ a second, about [^\n]+ left\n/)
    const { code, stdout, stderr } = await loading.end('SIGINT')
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    const [, done] =
      /Stopped at ([\d,]+) of 5,000,000 contracts; the same command/.exec(stdout) ?? []
    const [found] = await database.asOwner<{ value: string }>(
      `select value from tfs.deployment where name = 'load'`,
    )
    expect(JSON.parse(found?.value as string).done).toBe(Number(done?.replaceAll(',', '')))
  })

  test('a database with other data is left alone, in one line that names --force', async () => {
    const other = await newDatabase()
    expect((await runTfs(['migrate'], other.env, folder)).code).toBe(0)
    expect((await seed(other.env, folder, '--contracts', '10')).code).toBe(0)
    expect(outcomeOf(await seed(other.env, folder))).toEqual([
      1,
      '',
      'tfs: The database holds other data; nothing changed. --force tells it anyway.\n',
    ])
    const forced = await seed(other.env, folder, '--force')
    expect(outcomeOf(forced)).toEqual([
      0,
      expect.stringMatching(/^The demo story is told, all of it dated today: [^\n]*\n$/),
      '',
    ])
  })
})
