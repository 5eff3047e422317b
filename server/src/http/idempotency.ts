import { canonicalJson } from '../base/canonical-json.ts'
import { sha256Hex } from '../base/digest.ts'
import { type IdempotencyScope, keepAnswer, keptAnswer, lockKey } from '../storage/idempotency.ts'
import type { Tx } from '../storage/tx.ts'
import { httpErrors } from './errors.ts'
import type { Answer } from './reply.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

/** One key, for one request: what it is stored under and what it must be repeated with. */
export interface IdempotencyRequest extends IdempotencyScope {
  readonly requestHash: string
}

export function requireKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && KEY.test(header)) return header
  const detail = 'Idempotency-Key must have 1 to 255 visible ASCII characters, without blanks.'
  throw httpErrors.VALIDATION_FAILED(detail, {
    errors: [{ pointer: '/header/idempotency-key', code: 'WRONG_FORMAT', detail }],
  })
}

export function requestHashOf(query: unknown, body: unknown): string {
  return sha256Hex(canonicalJson([query ?? null, body ?? null]))
}

/** Order of checks 8: replays the first answer, or says why the work cannot start. */
export async function replayOf(tx: Tx, request: IdempotencyRequest): Promise<Answer | undefined> {
  if (!(await lockKey(tx, request))) {
    throw httpErrors.IDEMPOTENCY_IN_PROGRESS(
      'A request with this Idempotency-Key is still running. Try again in a second.',
      { retryAfter: 1 },
      { 'retry-after': '1' },
    )
  }
  const kept = await keptAnswer(tx, request)
  if (kept === undefined) return undefined
  if (kept.requestHash !== request.requestHash) {
    throw httpErrors.IDEMPOTENCY_KEY_REUSED(
      'This Idempotency-Key was used for a request with another query or body. Use a new key.',
    )
  }
  const { status, headers, body } = kept
  return { status, body, headers: { ...headers, 'idempotent-replayed': 'true' } }
}

/** Kept in the transaction of the work: both are there, or neither. */
export async function keep(tx: Tx, request: IdempotencyRequest, answer: Answer): Promise<void> {
  await keepAnswer(tx, request, { ...answer, requestHash: request.requestHash })
}
