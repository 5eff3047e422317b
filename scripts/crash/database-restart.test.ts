import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Serving } from '../../cli/test/tfs-process.ts'
import { startPostgres, type TestPostgres } from '../../server/test/postgres.ts'
import type { Outcome } from './client.ts'
import { findingsIn } from './invariants.ts'
import { openJournal, recordedIn } from './journal.ts'
import { randomOf } from './random.ts'
import { postgresTarget, type Target } from './target.ts'
import { newParty, writersOf } from './writers.ts'

const RECOVERY_MS = 5_000
const LONGEST_ANSWER_MS = 10_000
const LOAD_MS = 1_500
const AWAY_MS = 1_000

let server: TestPostgres
let target: Target
let serving: Serving
let folder: string
beforeAll(async () => {
  server = await startPostgres({ durable: true })
  target = await postgresTarget(server.adminUrl)
  serving = await target.serve()
  folder = await mkdtemp(join(tmpdir(), 'tfs-restart-'))
})
afterAll(async () => {
  await serving?.end('SIGKILL')
  await server?.restart()
  await target?.remove()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

interface Seen {
  readonly outcome: Outcome
  readonly ms: number
  readonly at: number
}

async function underLoad(run: string, disturb: () => Promise<void>) {
  const file = join(folder, run)
  const seen: Seen[] = []
  const journal = openJournal(file)
  const writers = writersOf({
    count: 8,
    journal,
    random: randomOf(19),
    partyId: await newParty(serving.baseUrl),
    run,
    onOutcome: (outcome, ms) => seen.push({ outcome, ms, at: performance.now() }),
  })
  const writing = writers.writeTo(serving.baseUrl)
  await sleep(LOAD_MS)
  await disturb()
  const backAt = performance.now()
  const isBack = ({ outcome, at }: Seen): boolean => outcome.kind === 'ACKNOWLEDGED' && at > backAt
  while (!seen.some(isBack) && performance.now() < backAt + RECOVERY_MS) await sleep(50)
  await sleep(LOAD_MS)
  writers.stop()
  await writing
  journal.close()
  return { seen, backAt, isBack, refused: writers.refused, recorded: recordedIn(file) }
}

describe('rule 19: PostgreSQL restarts under load', () => {
  test.each([
    ['in order', 'SIGINT'],
    ['after a crash', 'SIGKILL'],
  ] as const)(
    '%s: 503 with Retry-After in bounded time, back within 5 s, nothing lost',
    async (name, signal) => {
      const { seen, backAt, isBack, refused, recorded } = await underLoad(
        name.replaceAll(' ', '-'),
        async () => {
          await server.kill(signal)
          await sleep(AWAY_MS)
          await server.restart()
        },
      )
      const away = seen.filter(({ outcome }) => outcome.kind === 'UNKNOWN')
      expect(refused).toEqual([])
      expect(away.length).toBeGreaterThan(0)
      for (const { outcome } of away) {
        expect(outcome).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
      }
      expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(LONGEST_ANSWER_MS)
      const back = seen.filter(isBack)
      expect(back.length).toBeGreaterThan(0)
      expect((back[0] as Seen).at - backAt).toBeLessThan(RECOVERY_MS)
      const lastAway = Math.max(...away.map(({ at }) => at))
      expect(lastAway - backAt).toBeLessThan(RECOVERY_MS)
      const found = await target.asOwner((owner) => findingsIn(owner, recorded))
      expect(found.lost).toEqual([])
      // Both runs write to one database, and each knows only what it sent itself.
      expect(found.violations.filter((line) => !line.startsWith('never sent'))).toEqual([])
      const readiness = await fetch(`${serving.baseUrl}/readyz`)
      expect(await readiness.json()).toMatchObject({ ready: true })
    },
  )

  test('the process never crashed, left no rejection unheard, and stops even without a database', async () => {
    await server.kill('SIGINT')
    // One look at the database serves all who ask within a moment.
    const readiness = async () => (await fetch(`${serving.baseUrl}/readyz`)).status
    await expect.poll(readiness, { timeout: 10_000 }).toBe(503)
    const { code, signal, stderr } = await serving.end('SIGTERM')
    expect({ code, signal }).toEqual({ code: 0, signal: null })
    expect(stderr).not.toMatch(/Warning|Unhandled|uncaught|\n\s+at /)
  })
})
