import { afterEach, describe, expect, inject, test } from 'vitest'
import { newDataDir } from '../../cli/test/data-dir.ts'
import type {} from '../../server/test/global-setup.ts'
import { killRepeatedly } from './rounds.ts'
import { embeddedTarget, postgresTarget, type Target } from './target.ts'

let target: Target
afterEach(() => target.remove())

/** The short form; `node scripts/crash/kill-nine.ts --rounds 50` is the long one. */
describe('rule 18: what was acknowledged survives kill -9, what was not is whole or absent', () => {
  const seed = 18

  test('embedded, five times in a row', async () => {
    target = await embeddedTarget(await newDataDir())
    const tally = await killRepeatedly({ target, rounds: 5, seed })
    expect(tally).toMatchObject({ rounds: 5, lost: [], violations: [] })
    expect(tally.acknowledged).toBeGreaterThan(0)
    expect(tally.replayed).toBeGreaterThan(0)
  })

  test('PostgreSQL, three times in a row', async () => {
    target = await postgresTarget(inject('postgresAdminUrl'))
    const tally = await killRepeatedly({ target, rounds: 3, seed })
    expect(tally).toMatchObject({ rounds: 3, lost: [], violations: [] })
    expect(tally.acknowledged).toBeGreaterThan(0)
    expect(tally.replayed).toBeGreaterThan(0)
  })
}, 180_000)
