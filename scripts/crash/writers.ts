import { setTimeout as sleep } from 'node:timers/promises'
import { type Outcome, PERMISSIONS, send } from './client.ts'
import type { Command, Journal } from './journal.ts'
import type { Random } from './random.ts'

export interface WritersOptions {
  readonly count: number
  readonly journal: Journal
  readonly random: Random
  readonly partyId: string
  /** In every key, so that runs over one database do not meet. */
  readonly run: string
  /** Told of each outcome, e.g. to measure how long it took. */
  readonly onOutcome?: (outcome: Outcome, ms: number) => void
}

export interface Writers {
  readonly refused: readonly string[]
  /** Writers send until told to stop or until nobody answers any more. */
  writeTo(baseUrl: string): Promise<void>
  stop(): void
}

const SHARE_APPROVED = 0.6
const LONGEST_THOUGHT_MS = 20
const AFTER_UNAVAILABLE_MS = 100

export function writersOf(options: WritersOptions): Writers {
  const { journal, random } = options
  const refused: string[] = []
  let number = 0
  let isStopped = false

  async function sendRecorded(baseUrl: string, command: Command): Promise<Outcome> {
    journal.sent(command)
    const begun = performance.now()
    const outcome = await send(baseUrl, command)
    options.onOutcome?.(outcome, performance.now() - begun)
    if (outcome.kind === 'ACKNOWLEDGED') journal.acknowledged(outcome.answer)
    if (outcome.kind === 'REFUSED')
      refused.push(`${command.key}: ${outcome.status} ${outcome.text}`)
    return outcome
  }

  async function writer(baseUrl: string, who: number): Promise<void> {
    while (!isStopped) {
      const created = await sendRecorded(baseUrl, creation(options, ++number, who))
      if (created.kind === 'ACKNOWLEDGED' && random.chance(SHARE_APPROVED) && !isStopped) {
        const { contractId, key } = created.answer
        await sendRecorded(baseUrl, approval(contractId, key, who))
      }
      if (created.kind === 'UNKNOWN') {
        if (created.status === undefined) return
        await sleep(AFTER_UNAVAILABLE_MS)
      }
      await sleep(random.between(0, LONGEST_THOUGHT_MS))
    }
  }

  return {
    refused,
    async writeTo(baseUrl) {
      isStopped = false
      await Promise.all(Array.from({ length: options.count }, (_, who) => writer(baseUrl, who)))
    },
    stop() {
      isStopped = true
    },
  }
}

export function creation(
  { run, partyId }: Pick<WritersOptions, 'run' | 'partyId'>,
  number: number,
  who: number,
): Command {
  const key = `${run}-${number}`
  return {
    key,
    kind: 'create',
    user: `preparer-${who}`,
    path: '/contracts',
    body: {
      partyId,
      type: 'LOAN',
      externalRef: key,
      terms: {
        financedAmount: { amount: '12500.00', currency: 'EUR' },
        nominalRate: '4.9',
        termMonths: 48,
        firstDueDate: '2027-01-31',
      },
    },
  }
}

export function approval(contractId: string, createdBy: string, who: number): Command {
  return {
    key: `${createdBy}-approve`,
    kind: 'approve',
    user: `approver-${who}`,
    path: `/contracts/${contractId}/approve`,
    body: { comment: 'Checked.' },
  }
}

/** One party for all contracts of a run. */
export async function newParty(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/parties`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-dev-user': 'preparer-0',
      'x-dev-permissions': PERMISSIONS,
    },
    body: JSON.stringify({ type: 'ORGANISATION', organisation: { name: 'Crash Test GmbH' } }),
  })
  if (answer.status !== 201) throw new Error(`The party was refused: ${await answer.text()}`)
  return ((await answer.json()) as { id: string }).id
}
