import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'
import { type Findings, findingsIn } from './invariants.ts'
import { type Command, type Journal, openJournal, recordedIn } from './journal.ts'
import { type Random, randomOf } from './random.ts'
import type { Target } from './target.ts'
import { newParty, writersOf } from './writers.ts'

export interface RoundsOptions {
  readonly target: Target
  readonly rounds: number
  readonly seed: number
  readonly writers?: number
  readonly onRound?: (round: number, acknowledged: number) => void
}

export interface Tally extends Findings {
  readonly store: Target['kind']
  readonly rounds: number
  readonly killedWhileStarting: number
  readonly sent: number
  readonly acknowledged: number
  readonly unanswered: number
  /** Acknowledged commands sent once more: the first answer came back. */
  readonly replayed: number
  /** Unanswered commands sent once more: they had one effect. */
  readonly completed: number
}

const WRITERS = 6
const SHORTEST_LIFE_MS = 50
const LONGEST_LIFE_MS = 1_500
const LONGEST_START_TO_KILL_MS = 4_000
const SHARE_KILLED_WHILE_STARTING = 0.2
const REPLAYED_PER_ROUND = 5

/** Security rule 18: kill -9 at random moments while several clients write. */
export async function killRepeatedly(options: RoundsOptions): Promise<Tally> {
  const { target, rounds, seed, onRound } = options
  const random = randomOf(seed)
  const folder = await mkdtemp(join(tmpdir(), 'tfs-journal-'))
  const file = join(folder, 'journal')
  const journal = openJournal(file)
  const violations: string[] = []
  const counts = { killedWhileStarting: 0, replayed: 0, completed: 0 }
  try {
    let serving = await target.serve()
    const partyId = await newParty(serving.baseUrl)
    const count = options.writers ?? WRITERS
    const writers = writersOf({ count, journal, random, partyId, run: `run${seed}` })
    for (let round = 1; round <= rounds; round++) {
      const writing = writers.writeTo(serving.baseUrl)
      await sleep(random.between(SHORTEST_LIFE_MS, LONGEST_LIFE_MS))
      await serving.end('SIGKILL')
      writers.stop()
      await writing
      if (random.chance(SHARE_KILLED_WHILE_STARTING)) {
        counts.killedWhileStarting++
        await killWhileStarting(target, random)
      }
      serving = await target.serve()
      const retried = await retry({ baseUrl: serving.baseUrl, file, journal })
      counts.replayed += retried.replayed
      counts.completed += retried.completed
      violations.push(...retried.violations)
      onRound?.(round, recordedIn(file).acknowledged.size)
    }
    const { code } = await serving.end('SIGTERM')
    if (code !== 0) violations.push(`SIGTERM ended with ${code}`)
    violations.push(...writers.refused.map((line) => `unexpected answer: ${line}`))
    const recorded = recordedIn(file)
    const found = await target.asOwner((owner) => findingsIn(owner, recorded))
    const { commands, acknowledged } = recorded
    return {
      store: target.kind,
      rounds,
      ...counts,
      sent: commands.size,
      acknowledged: acknowledged.size,
      unanswered: commands.size - acknowledged.size,
      lost: found.lost,
      violations: [...violations, ...found.violations],
    }
  } finally {
    journal.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function killWhileStarting(target: Target, random: Random): Promise<void> {
  const starting = target.begin()
  await sleep(random.between(0, LONGEST_START_TO_KILL_MS))
  await starting.end('SIGKILL')
}

interface Retrying {
  readonly baseUrl: string
  readonly file: string
  readonly journal: Journal
}

/** What the last process left: some unanswered commands again, and the last acknowledged ones. */
async function retry({ baseUrl, file, journal }: Retrying) {
  const violations: string[] = []
  const { commands, acknowledged } = recordedIn(file)
  const again = async (command: Command): Promise<boolean> => {
    const outcome = await send(baseUrl, command)
    if (outcome.kind !== 'ACKNOWLEDGED') {
      violations.push(`a retry was not answered: ${command.key} ${JSON.stringify(outcome)}`)
      return false
    }
    const first = acknowledged.get(command.key)
    if (first === undefined) journal.acknowledged(outcome.answer)
    else if (!outcome.replayed || outcome.answer.bodySha256 !== first.bodySha256) {
      violations.push(`a retry was not replayed: ${command.key}`)
    }
    return true
  }
  let completed = 0
  for (const command of commands.values()) {
    if (acknowledged.has(command.key) || !isRetried(command)) continue
    if (await again(command)) completed++
  }
  let replayed = 0
  for (const key of [...acknowledged.keys()].slice(-REPLAYED_PER_ROUND)) {
    if (await again(commands.get(key) as Command)) replayed++
  }
  return { violations, completed, replayed }
}

/** Half of them; the others stay as the crash left them, whole or absent. */
function isRetried({ key }: Command): boolean {
  return Number(/-(\d+)/.exec(key)?.[1]) % 2 === 0
}
