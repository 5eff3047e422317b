import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Acknowledged, Command } from './journal.ts'

/**
 * ACKNOWLEDGED  answered 2xx: from now on it must be there
 * UNKNOWN       no answer, or 503: whole or absent
 * REFUSED       answered otherwise, which nothing here asks for
 */
export type Outcome =
  | { readonly kind: 'ACKNOWLEDGED'; readonly answer: Acknowledged; readonly replayed: boolean }
  | { readonly kind: 'UNKNOWN'; readonly status?: 503; readonly retryAfter?: string | null }
  | { readonly kind: 'REFUSED'; readonly status: number; readonly text: string }

export const PERMISSIONS = 'party:create,contract:create,contract:read,contract:approve'
const LONGEST_ANSWER_MS = 40_000
const BUSY_TRIES = 20
const BUSY_WAIT_MS = 250

export async function send(baseUrl: string, command: Command): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    const outcome = await sendOnce(baseUrl, command)
    // The database may still be at work for a process that is no more.
    const isBusy = outcome.kind === 'REFUSED' && outcome.text.includes('IDEMPOTENCY_IN_PROGRESS')
    if (!isBusy || tries === BUSY_TRIES) return outcome
    await sleep(BUSY_WAIT_MS)
  }
}

async function sendOnce(baseUrl: string, command: Command): Promise<Outcome> {
  let status: number
  let text: string
  let headers: Headers
  try {
    const answer = await fetch(`${baseUrl}/api/v1${command.path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': command.key,
        'x-dev-user': command.user,
        'x-dev-permissions': PERMISSIONS,
      },
      body: JSON.stringify(command.body),
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
    })
    status = answer.status
    headers = answer.headers
    text = await answer.text()
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      return { kind: 'REFUSED', status: 0, text: `no answer within ${LONGEST_ANSWER_MS} ms` }
    }
    return { kind: 'UNKNOWN' }
  }
  if (status === 503) return { kind: 'UNKNOWN', status, retryAfter: headers.get('retry-after') }
  if (status >= 300) return { kind: 'REFUSED', status, text }
  const { id, version } = JSON.parse(text) as { id: string; version: number }
  const bodySha256 = createHash('sha256').update(text).digest('hex')
  return {
    kind: 'ACKNOWLEDGED',
    answer: { key: command.key, contractId: id, version, bodySha256 },
    replayed: headers.get('idempotent-replayed') === 'true',
  }
}
